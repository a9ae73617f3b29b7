// SPDX-License-Identifier: Apache-2.0
// Both processes of a pair take their turns on the same CPU. On an idle virtual machine each of them stays on a CPU of its own, and what works beside
// one of these (another guest on the same core) makes a difference of 5 to 40 % that lasts longer than a pair (stats/README.md, "The same CPU").
#pragma once

#include <sys/types.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/launch/splitmix64.hpp"

namespace torchgate::launch {

/// What the threads of a process have used so far.
struct ThreadTimes {
  std::chrono::nanoseconds by_process{0};
  std::chrono::nanoseconds by_main_thread{0};
  std::chrono::nanoseconds waited{0};  ///< of the main thread, for a CPU
};
/// Absent: the process has ended, or the kernel does not tell.
std::optional<ThreadTimes> thread_times(pid_t pid);

/// Whether between these two times threads beside the main one have worked: more than the few per cent that a thread which only waits may use.
bool other_threads_worked(const ThreadTimes& before, const ThreadTimes& after);

/// Where each process may run. Only while it has the turn of a case that needs no thread but the main one: threads that are started meanwhile would stay
/// on that CPU. A process that has chosen its CPUs itself (taskset, OMP_PROC_BIND) keeps them, and so does one whose threads cannot be watched.
class SharedCpu {
 public:
  /// ALLOWED: the CPUs to choose from; with fewer than two, and for each case with several working threads, nothing is set.
  SharedCpu(std::vector<int> allowed, std::uint64_t seed);

  /// Draws a CPU for the next case.
  void begin_case();
  /// The process begins to prepare the case, on any CPU; and has prepared it: what its threads did in between is looked at.
  void preparing(std::size_t side, pid_t pid);
  void prepared(std::size_t side, pid_t pid);
  void before_turn(std::size_t side, pid_t pid);
  /// Where other threads have worked, both may use any CPU from now on, until the next case.
  void after_turn(std::size_t side, pid_t pid);
  /// After both had a turn: another CPU, where they waited for this one.
  void end_round();
  /// What was set is undone: all threads of the process that are still on that CPU may run on any.
  void release(std::size_t side, pid_t pid);

  /// The CPU of the next turn; absent: any.
  [[nodiscard]] std::optional<int> cpu() const;

 private:
  std::vector<int> allowed_;
  SplitMix64 random_;
  std::size_t at_ = 0;  ///< in allowed_
  std::size_t moves_ = 0;
  bool one_thread_ = true;
  std::array<std::optional<int>, 2> sent_to_;  ///< who was sent to which CPU
  std::array<std::optional<ThreadTimes>, 2> before_;
  std::chrono::nanoseconds waited_{0};  ///< in this round
  std::chrono::nanoseconds worked_{0};
};

/// The CPUs that a thread may use; 0: the calling one. Empty: unknown.
std::vector<int> cpus_of(pid_t thread);
/// Those of this process.
inline std::vector<int> allowed_cpus() {
  return cpus_of(0);
}

}  // namespace torchgate::launch
