// SPDX-License-Identifier: Apache-2.0
// The doctor: all rows for a moment, and all rows for what happened between two moments.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/machine/doctor/check.hpp"
#include "harness/machine/doctor/self_test.hpp"
#include "harness/machine/doctor/snapshot.hpp"

namespace torchgate::machine::doctor {

/// The shortest sample that a CPU case aims at; what the clock is held against before anything was measured.
inline constexpr double nominal_sample_ns = 1e6;

/// Memory that the CUDA cases of this repository stay below; what is held against a device's free memory.
inline constexpr std::uint64_t nominal_device_bytes = 2ULL << 30U;

/// What the run wants of the machine.
struct Asked {
  std::int64_t threads = 1;  ///< of a suite process
  bool cuda = false;         ///< a CUDA case is part of it: only then do GPU rows mean trouble
  std::uint64_t device_bytes = nominal_device_bytes;
};

/// What is found out by trying, not by reading.
struct Probes {
  std::optional<double> timer_ns;     ///< smallest step of the clock
  std::optional<SelfTest> self_test;  ///< absent: not asked
  std::string build;                  ///< build_kind() of our own program; empty: unknown
};

/// Tries: some 0.2 s, more on a noisy machine.
Probes probe();

/// What is known of a run once it is over.
struct RunFacts {
  std::chrono::nanoseconds wall{0};
  std::optional<double> shortest_sample_ns;        ///< absent: no timed sample
  std::optional<double> timer_ns;                  ///< of the probes before it
  std::optional<std::int64_t> timed_major_faults;  ///< in the timed regions; absent: the suites do not say
  std::optional<std::string> suite_build;          ///< what the suites say of themselves; absent: nothing
  std::optional<GpuDuring> gpu;                    ///< absent: nobody watched
};

/// All rows of Moment::setting and Moment::before.
MachineChecks examine(const Snapshot& now, const Probes& probes, const Asked& asked);

/// All rows of Moment::during, then the settings whose answer has changed meanwhile (they are bad: nobody knows when).
MachineChecks examine_run(const Snapshot& before, const Snapshot& after, const RunFacts& run, const Asked& asked);

/// Fatal first, then warnings, infos, unknowns, and what is fine; the table's order among equals.
void sort_worst_first(MachineChecks& checks);

}  // namespace torchgate::machine::doctor
