// SPDX-License-Identifier: Apache-2.0
// The doctor: all rows for one moment, and all rows for the time between two moments.
#pragma once

#include <optional>
#include <string>

#include "harness/machine/doctor/asked.hpp"  // IWYU pragma: export
#include "harness/machine/doctor/check.hpp"
#include "harness/machine/doctor/self_test.hpp"
#include "harness/machine/doctor/snapshot.hpp"

namespace torchgate::machine::doctor {

/// What is measured instead of read.
struct Probes {
  std::optional<double> timer_ns;     ///< smallest step of the clock
  std::optional<SelfTest> self_test;  ///< absent: not run
  std::string build;                  ///< build_kind() of this program; empty: unknown
};

/// Takes about 0.2 s, more on a noisy machine.
Probes probe();

/// All rows of Moment::setting and Moment::before.
MachineChecks examine(const Snapshot& now, const Probes& probes, const Asked& asked);

/// All rows of Moment::during, then the settings that changed between the snapshots (bad: the time of the change is
/// unknown).
MachineChecks examine_run(const Snapshot& before, const Snapshot& after, const RunFacts& run, const Asked& asked);

/// The settings among AFTER that differ from BEFORE, as bad rows, even if both values are fine: some samples were taken with the old value, some
/// with the new one.
MachineChecks changed_settings(const MachineChecks& before, const MachineChecks& after);

/// Fatal first, then warnings, infos, unknown and ok; in the order of the table among equals.
void sort_worst_first(MachineChecks& checks);

}  // namespace torchgate::machine::doctor
