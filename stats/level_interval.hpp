// SPDX-License-Identifier: Apache-2.0
// What:    the confidence interval of a level change that change_point.hpp found.
// Assumes: as change_point.hpp, and values about normal inside a level. The place of the change was found in the same values, and the
//          interval does not allow for that choice: its level is nominal.
// Source:  half width of Welch's interval [welch-1947] between the values of both levels without outliers, times
//          sqrt((1 + phi) / (1 - phi)) for correlated runs as in change_point.hpp, times sqrt(pi / 2): a level is a median, whose variance
//          is that much larger than the variance of a mean.
// Checked: tests/stats/level_interval_test.cpp, against R t.test on Student's sleep data
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "stats/change_point.hpp"
#include "stats/interval.hpp"

namespace torchgate::stats {

/// Values of each level that count, those next to the change; as many as ChangePoint::before and ::after are medians of.
inline constexpr std::size_t level_interval_runs = 60;

/// Of FOUND.points[POINT].after - .before, around it. FOUND is what find_change_points() said of LOG_VALUES; the newest FOUND.unsettled of
/// them are not of the last level. None where POINT or LEVEL (between 0 and 1) does not exist, or a level has fewer than two values without
/// outliers.
std::optional<Interval> level_interval(std::span<const double> log_values, const ChangePoints& found, std::size_t point,
                                       double level);

}  // namespace torchgate::stats
