// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/turns/shared_cpu.hpp"

#include <sched.h>
#include <time.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>

namespace torchgate::launch {
namespace {

namespace fs = std::filesystem;
using std::chrono::nanoseconds;

// Of the CPU time of a process: what threads that only wait may use. More means that several threads compute the case.
constexpr double idle_threads_share = 0.02;

// Of the time of a round: waiting this long for the CPU means that something else wants it.
constexpr double contended_share = 0.1;

// On a machine whose CPUs are all wanted another move brings nothing, and each changes what a round meets.
constexpr std::size_t most_moves = 3;

std::optional<nanoseconds> cpu_time_of(pid_t pid) {
  clockid_t clock{};
  timespec time{};
  if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) != 0) return std::nullopt;
  return std::chrono::seconds(time.tv_sec) + nanoseconds(time.tv_nsec);
}

void allow(pid_t thread, const std::vector<int>& cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int each : cpus) CPU_SET(static_cast<std::size_t>(each), &set);
  if (thread > 0) sched_setaffinity(thread, sizeof set, &set);
}

}  // namespace

std::vector<int> allowed_cpus() {
  std::vector<int> cpus;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &set)) cpus.push_back(cpu);
  return cpus;
}

// /proc/PID/schedstat is of the main thread: "time on the CPU, time waiting for one, time slices", in ns (Linux, Documentation/scheduler/sched-stats).
std::optional<ThreadTimes> thread_times(pid_t pid) {
  const auto by_process = cpu_time_of(pid);
  std::ifstream file("/proc/" + std::to_string(pid) + "/schedstat");
  std::int64_t on_cpu = 0;
  std::int64_t waited = 0;
  if (!by_process || !(file >> on_cpu >> waited)) return std::nullopt;
  return ThreadTimes{*by_process, nanoseconds(on_cpu), nanoseconds(waited)};
}

bool other_threads_worked(const ThreadTimes& before, const ThreadTimes& after) {
  const nanoseconds all = after.by_process - before.by_process;
  const nanoseconds others = all - (after.by_main_thread - before.by_main_thread);
  return static_cast<double>(others.count()) > idle_threads_share * static_cast<double>(all.count());
}

SharedCpu::SharedCpu(std::vector<int> allowed, std::uint64_t seed) : allowed_(std::move(allowed)), random_(seed) {}

void SharedCpu::begin_case() {
  one_thread_ = true;
  moves_ = 0;
  waited_ = worked_ = {};
  if (!allowed_.empty()) at_ = static_cast<std::size_t>(random_.below(allowed_.size()));
}

void SharedCpu::preparing(std::size_t side, pid_t pid) {
  before_.at(side) = thread_times(pid);
}

void SharedCpu::prepared(std::size_t side, pid_t pid) {
  const auto now = thread_times(pid);
  const auto& before = before_.at(side);
  one_thread_ = one_thread_ && now && before && !other_threads_worked(*before, *now);
}

std::optional<int> SharedCpu::cpu() const {
  return allowed_.size() > 1 && one_thread_ ? std::optional(allowed_[at_]) : std::nullopt;
}

void SharedCpu::before_turn(std::size_t side, pid_t pid) {
  before_.at(side).reset();
  if (!cpu()) {
    if (on_one_.at(side)) release(pid);
    on_one_.at(side) = false;
    return;
  }
  on_one_.at(side) = true;
  allow(pid, {*cpu()});
  before_.at(side) = thread_times(pid);
}

void SharedCpu::after_turn(std::size_t side, pid_t pid) {
  const auto now = thread_times(pid);
  const auto& before = before_.at(side);
  if (!now || !before) return;
  waited_ += now->waited - before->waited;
  worked_ += now->by_main_thread - before->by_main_thread;
  if (!other_threads_worked(*before, *now)) return;
  one_thread_ = false;
}

void SharedCpu::end_round() {
  const auto waited = static_cast<double>(waited_.count());
  const bool contended = waited > contended_share * (waited + static_cast<double>(worked_.count()));
  waited_ = worked_ = {};
  if (!cpu() || !contended || moves_ == std::min(most_moves, allowed_.size() - 1)) return;
  ++moves_;
  at_ = (at_ + 1) % allowed_.size();
}

void SharedCpu::release(pid_t pid) const {
  if (allowed_.size() < 2 || pid <= 0) return;
  std::error_code failed;
  for (fs::directory_iterator each("/proc/" + std::to_string(pid) + "/task", failed), end; !failed && each != end;
       each.increment(failed))
    allow(std::atoi(each->path().filename().c_str()), allowed_);
}

}  // namespace torchgate::launch
