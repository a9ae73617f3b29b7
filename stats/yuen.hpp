// SPDX-License-Identifier: Apache-2.0
// What:    trimmed means with the standard error that belongs to them, and Yuen's test of two of them.
// Assumes: independent values; robust against a share `trim` of wild ones on each side.
// Source:  [yuen-1974]: mean of the h = n - 2g values left after dropping g = floor(trim n) a side; squared standard
//          error = winsorised sum of squares / (h (h-1)); h-1 degrees of freedom.
// Checked: tests/stats/yuen_test.cpp, against SciPy ttest_ind(trim=0.2) and the Python reference
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

struct Yuen {
  double difference = 0.0;  ///< trimmed mean of after - that of before
  double t = 0.0;
  double df = 1.0;
  double p = 1.0;
};

/// Welch's test on trimmed means. None where trimmed_mean is, and when neither side varies after winsorising.
std::optional<Yuen> yuen(std::span<const double> before, std::span<const double> after, double trim = 0.2);

}  // namespace torchgate::stats
