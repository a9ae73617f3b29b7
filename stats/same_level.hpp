// SPDX-License-Identifier: Apache-2.0
// What:    which stored runs of a case are at the level of the newest one: those that may be pooled with it.
// Assumes: log run values, the newest first. Noise from run to run leaves no gap that is much wider than the typical distance of
//          neighbouring values; a level change (a slow-down that was merged, its repair) does. Levels do not take turns, states do.
// Source:  single linkage in one dimension: Gower and Ross, "Minimum Spanning Trees and Single Linkage Cluster Analysis",
//          J. R. Stat. Soc. C 18 (1969); the width of a gap in units of the lower median gap is ours, with the rates of the test.
// Checked: tests/stats/same_level_test.cpp
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace torchgate::stats {

/// For each of VALUES (absent: the run has none), whether it may be pooled with the first known one: no gap between them, in order of size,
/// is wider than FLOOR (log) and than six median gaps; no step and no trend of at least half of FLOOR lies between them (newest_level.hpp); and it is not
/// farther from the first than FLOOR and than eight typical steps from run to run: several small improvements are not noise, either. The first known
/// value always may. Two known values do not tell a level change from noise: both may.
/// A gap or a distance ends nothing where the values change between both sides of it more than twice (two modes, a coarse clock) and CURRENT, the run value
/// that is compared with them (absent: there is none), lies within FLOOR of one of these values: it may be in either state. A value between the states or beyond them is in
/// neither, and their distance is not its noise.
std::vector<bool> same_level(std::span<const std::optional<double>> values, double floor,
                             std::optional<double> current);

}  // namespace torchgate::stats
