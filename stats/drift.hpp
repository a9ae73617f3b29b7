// SPDX-License-Identifier: Apache-2.0
// What:    the drift of the machine from run to run, measured by control cases: the same binary in every run.
// Assumes: log values, larger is worse; a control's code never changes, so that only the machine shifts it. Without
//          controls no drift may be corrected: a compiler flag that slows every case looks the same as a slower machine.
// Source:  median over controls of the distance from each control's own stored median.
// Checked: tests/stats/drift_test.cpp
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace torchgate::stats {

/// With two controls the median would follow a disturbed one.
inline constexpr std::size_t fewest_controls = 3;

/// Run values of one case: the stored runs, and after them the run to judge.
using RunSeries = std::vector<double>;

/// One shift per run, in the order of the series, relative to the stored runs' medians. None with fewer than three
/// usable controls. A control is unusable when it lacks a run (another length than the longest) or a value is not finite.
std::optional<std::vector<double>> drift_of_controls(std::span<const RunSeries> controls);

}  // namespace torchgate::stats
