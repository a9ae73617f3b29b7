// SPDX-License-Identifier: Apache-2.0
// What the doctor is asked about a machine, before a run and after it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/machine/doctor/snapshot.hpp"

namespace torchgate::machine::doctor {

/// The shortest sample that a CPU case aims at; the clock is compared with it before anything is measured. Where a case has shorter ones, its
/// times alone are not judged.
inline constexpr double nominal_sample_ns = 1e6;

/// Memory that the CUDA cases of this repository need at most; a device's free memory is compared with it.
inline constexpr std::uint64_t nominal_device_bytes = 2ULL << 30U;

/// What the run requires of the machine.
struct Asked {
  std::int64_t threads = 1;  ///< of a suite process
  bool cuda = false;         ///< the run has CUDA cases: only then do GPU rows matter
  std::uint64_t device_bytes = nominal_device_bytes;
};

/// Switches between threads in the processes of one group, summed by the kernel.
struct GroupSwitches {
  std::int64_t involuntary = 0;
  std::int64_t voluntary = 0;
  std::chrono::nanoseconds cpu{0};
  std::int64_t threads = 1;  ///< that compute at the same time: ranks x threads of each
};

/// What is known about a run after it has ended.
struct RunFacts {
  std::chrono::nanoseconds wall{0};
  std::optional<std::int64_t> timed_major_faults;  ///< in the timed regions; absent: not reported by the suites
  std::optional<std::string> suite_build;          ///< as the suites report it; absent: not reported
  std::optional<GpuDuring> gpu;                    ///< absent: not monitored
  /// Of the measured processes; empty: those of torchgate and its children stand for them.
  std::vector<GroupSwitches> switches;
};

}  // namespace torchgate::machine::doctor
