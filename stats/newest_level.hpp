// SPDX-License-Identifier: Apache-2.0
// What:    how many of the newest run values of a case are on one level: no step and no trend lies between them.
// Assumes: log run values, the newest first, whose noise from run to run is independent.
// Source:  a trend: Mann-Kendall (mann_kendall.hpp); a step: the largest pooled t of all splits (change_point_null.hpp), [hawkins-1977]. Where both are
//          found, the one that leaves the smaller sum of squares, as in slow_change.hpp. The slope of a trend is [theil-1950], [sen-1968].
// Checked: tests/stats/newest_level_test.cpp, tests/stats/same_level_test.cpp with the rates
#pragma once

#include <cstddef>
#include <span>

namespace torchgate::stats {

/// Each test of newest_level() finds so many trends (steps) where there is none.
inline constexpr double other_level_alpha = 0.005;

/// All of VALUES; or the newest ones behind the last step: at least four, or two or three of at least six where the gap between them and all others is
/// wider than six median gaps; or the newest ones of a trend, as many as it takes to move by the SD of the noise, and one at least. A step, or a trend
/// from the first value to the last, of less than SMALLEST (log) is none. REQUIRES: finite values.
std::size_t newest_level(std::span<const double> values, double smallest);

/// The median distance of the steps from run to run from the median slope: of a steady trend they are the noise and not the trend. Of normal noise
/// 0.95 SD. 0 for fewer than three values. REQUIRES: finite values.
double typical_step(std::span<const double> values);

}  // namespace torchgate::stats
