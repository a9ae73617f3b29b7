// SPDX-License-Identifier: Apache-2.0
// What:    the ratio after/before of two positive samples with its interval and p, by way of their logarithms.
// Assumes: independent values whose logarithms have roughly normal means; the ratio is that of geometric means.
// Source:  Welch on ln(values), then exp. Chosen over the bootstrap of the ratio of means, whose 95 % interval covers
//          88 % at five values a side.
// Checked: tests/stats/ratio_interval_test.cpp, against SciPy's Welch p on log values
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "stats/interval.hpp"

namespace torchgate::stats {

/// Natural logarithms; none when a value is zero, negative or not finite.
std::optional<std::vector<double>> log_values(std::span<const double> values);

struct RatioEstimate {
  double ratio = 1.0;                ///< above 1: after is larger
  std::optional<Interval> interval;  ///< of the ratio; none when neither side varies
  double p = 1.0;                    ///< two-sided, of "the ratio is 1"
};

/// None when a side has fewer than two values, a value is zero, negative or not finite, or the ratio does not fit a
/// double.
std::optional<RatioEstimate> ratio_interval(std::span<const double> before, std::span<const double> after,
                                            double level = 0.95);

}  // namespace torchgate::stats
