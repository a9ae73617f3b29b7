// SPDX-License-Identifier: Apache-2.0
// What:    which stored runs of a case are at the level of the newest one: those that may be pooled with it.
// Assumes: log run values, the newest first; the noise from run to run is that of most successive differences, so a few changes of level
//          (a slow-down that was merged, its repair) do not widen it.
// Source:  successive differences against shifts of a level: von Neumann, Kent, Bellinson and Hart, "The Mean Square Successive
//          Difference", Ann. Math. Statist. 12 (1941); their median instead of their mean square: Hampel, "The Influence Curve
//          and Its Role in Robust Estimation", JASA 69 (1974), with 1.4826 for normal noise.
// Checked: tests/stats/same_level_test.cpp
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace torchgate::stats {

/// For each of VALUES (absent: the run has none), whether it may be pooled with the first known one: within the larger of FLOOR (log; a
/// smaller change of level is of no interest) and four times the noise of a difference between two runs. The first known value always
/// may. With two known values nothing tells a change of level from noise: both may.
std::vector<bool> same_level(std::span<const std::optional<double>> values, double floor);

}  // namespace torchgate::stats
