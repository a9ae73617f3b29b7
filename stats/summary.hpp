// SPDX-License-Identifier: Apache-2.0
// What:    the numbers that describe a sample.
// Assumes: nothing about the distribution; lag1 assumes the values are in the order measured.
// Source:  mean and sd: stats/moments.hpp. Quantiles: stats/quantile.hpp. lag1: stats/autocorrelation.hpp. mad: median
//          absolute deviation from the median, not scaled.
// Checked: tests/stats/summary_test.cpp, against the certified values of the NIST StRD sets
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace torchgate::stats {

/// All in the unit of the values, except lag1 (a correlation, -1 to 1). Whether n is large enough to mean something as
/// a P95 or P99 is another question: quantile_interval_min_n answers it.
struct Summary {
  std::size_t n = 0;
  double mean = 0.0;
  double min = 0.0;
  double p25 = 0.0;
  double median = 0.0;
  double p75 = 0.0;
  double p95 = 0.0;
  double p99 = 0.0;
  double max = 0.0;
  double mad = 0.0;
  std::optional<double> sd;    ///< with n-1; none below two values
  std::optional<double> lag1;  ///< none below two values, and when they are all equal
};

/// None when there are no values, one is not finite, or their variance does not fit a double.
std::optional<Summary> summarize(std::span<const double> values);

}  // namespace torchgate::stats
