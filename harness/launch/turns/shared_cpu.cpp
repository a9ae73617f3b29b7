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

// Of the time of a round: waiting this long for the CPU means that another program uses it.
constexpr double contended_share = 0.1;

// On a machine whose CPUs are all busy another move gains nothing, and each one changes the conditions of a round.
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

std::vector<int> cpus_of(pid_t thread) {
  std::vector<int> cpus;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(thread, sizeof set, &set) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &set)) cpus.push_back(cpu);
  return cpus;
}

// /proc/PID/schedstat is of the main thread: "time on the CPU, time waiting for one, time slices", in ns (Linux, Documentation/scheduler/sched-stats).
std::optional<ThreadTimes> thread_times(pid_t pid) {
  // While a process runs, one of the two values may change before the other is read.
  constexpr int most_readings = 3;
  std::optional<ThreadTimes> times;
  for (int reading = 0; reading < most_readings; ++reading) {
    const auto by_process = cpu_time_of(pid);
    std::ifstream file("/proc/" + std::to_string(pid) + "/schedstat");
    std::int64_t on_cpu = 0;
    std::int64_t waited = 0;
    if (!by_process || !(file >> on_cpu >> waited)) return std::nullopt;
    times = ThreadTimes{*by_process, nanoseconds(on_cpu), nanoseconds(waited)};
    if (cpu_time_of(pid) == by_process) break;
  }
  return times;
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
  std::optional<int>& sent_to = sent_to_.at(side);
  const std::vector<int> now = cpu() ? cpus_of(pid) : std::vector<int>();
  if (cpu() && now != (sent_to ? std::vector<int>{*sent_to} : allowed_)) one_thread_ = false;  // its own choice
  if (!cpu()) return release(side, pid);
  sent_to = *cpu();
  allow(pid, {*sent_to});
  before_.at(side) = thread_times(pid);
}

void SharedCpu::after_turn(std::size_t side, pid_t pid) {
  if (!sent_to_.at(side)) return;
  const auto now = thread_times(pid);
  const auto& before = before_.at(side);
  if (!now || !before || other_threads_worked(*before, *now)) {
    one_thread_ = false;
    return;
  }
  waited_ += now->waited - before->waited;
  worked_ += now->by_main_thread - before->by_main_thread;
}

void SharedCpu::end_round() {
  const auto waited = static_cast<double>(waited_.count());
  const bool contended = waited > contended_share * (waited + static_cast<double>(worked_.count()));
  waited_ = worked_ = {};
  if (!cpu() || !contended || moves_ == std::min(most_moves, allowed_.size() - 1)) return;
  ++moves_;
  at_ = (at_ + 1) % allowed_.size();
}

void SharedCpu::release(std::size_t side, pid_t pid) {
  const auto sent_to = std::exchange(sent_to_.at(side), std::nullopt);
  if (!sent_to || pid <= 0) return;
  const std::vector<int> there{*sent_to};
  std::error_code failed;
  for (fs::directory_iterator each("/proc/" + std::to_string(pid) + "/task", failed), end; !failed && each != end;
       each.increment(failed)) {
    const pid_t thread = std::atoi(each->path().filename().c_str());
    if (thread > 0 && cpus_of(thread) == there) allow(thread, allowed_);
  }
}

}  // namespace torchgate::launch
