// SPDX-License-Identifier: Apache-2.0
// What differs between the machines and the software of two runs, and what may be compared at all.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/record/run.hpp"
#include "reports/report.hpp"

namespace torchgate::gate {

/// bad_input: CURRENT is one of the runs that it is compared with, a file of another tool is on both sides, or a run has two sides.
base::Result<void> check_runs(const std::vector<const record::Run*>& baseline, const record::Run& current);

/// Facts whose values differ, host facts first. Facts of class info are left out, but for environment variables; so is what one side does not
/// know.
std::vector<reports::Difference> machine_differences(const record::Machine& before, const record::Machine& after);

/// Why these machines must never be compared, naming the fact and both values; absent when they may, and where
/// a side's host key is not known and no fact forbids it.
std::optional<facts::Fact> refuse_comparison(const record::Machine& before, const record::Machine& after);

/// Why it is not known that these hosts are of one kind, although their keys are equal: a fact of a key has no value ("unknown" in both keys).
/// Their times are not comparable; pairs, whose sides one machine measured, are. Absent: it is known, or a key is missing (imported runs).
std::optional<facts::Fact> host_unknown(const record::Machine& before, const record::Machine& after);

/// Why the times of CUDA cases must not be compared; absent when they may, or the device of neither side is known.
/// Of runs without such cases the device is not known. The labels name a side of which it is not.
std::optional<facts::Fact> devices_differ(const record::Machine& before, const record::Machine& after,
                                          const char* label_before = "the baseline",
                                          const char* label_after = "this run");

/// Every object that the suites loaded is the same on both sides: the difference measured is noise.
bool same_objects(const record::Run& before, const record::Run& after);

}  // namespace torchgate::gate
