// SPDX-License-Identifier: Apache-2.0
// What:    the trimmed mean with its standard error and t interval.
// Assumes: independent values; robust against a share `trim` of outliers on each side.
// Source:  [yuen-1974]: mean of the h = n - 2g values left after dropping g = floor(trim n) a side; squared standard
//          error = winsorised sum of squares / (h (h-1)); h-1 degrees of freedom.
// Checked: tests/stats/yuen_test.cpp, against the Python reference and by hand
#pragma once

#include <optional>
#include <span>

#include "stats/interval.hpp"

namespace torchgate::stats {

struct TrimmedMean {
  double mean = 0.0;
  double standard_error = 0.0;
  double df = 1.0;
};

/// None when fewer than two values are left, one is not finite, or trim is outside [0, 0.5).
std::optional<TrimmedMean> trimmed_mean(std::span<const double> values, double trim = 0.1);

/// Two-sided t interval of the trimmed mean.
Interval trimmed_interval(const TrimmedMean& estimate, double level = 0.95);

}  // namespace torchgate::stats
