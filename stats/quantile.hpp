// SPDX-License-Identifier: Apache-2.0
// What:    quantiles of a sample, and the interval of a population quantile between two order statistics.
// Assumes: quantile: nothing. Interval: independent samples; nothing about their distribution.
// Source:  quantile: definition 7 of [hyndman-fan-1996], h = (n-1)q, linear between neighbours (the default of R and
//          NumPy). Interval: P(X_(k) > xi_q) = P(Bin(n, q) <= k-1) [conover-1999, chapter 3].
// Checked: tests/stats/quantile_test.cpp, 40 order-statistic intervals and SciPy's percentiles
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "stats/interval.hpp"

namespace torchgate::stats {

/// Type-7 quantile of values sorted in ascending order. None when empty or q is outside [0, 1].
std::optional<double> quantile_of_sorted(std::span<const double> sorted, double q);

/// Type-7 quantile of values in any order (a copy is sorted). None also when a value is not finite.
std::optional<double> quantile(std::span<const double> values, double q);

/// Median of values in any order: of an even number the mean of the middle two. None when empty or a value is not finite.
std::optional<double> median(std::span<const double> values);

/// Makes the median absolute deviation an SD where the values are normal: 1 / Phi^-1(3/4), to the digits of [hampel-1974].
inline constexpr double normal_per_mad = 1.4826;

/// Which order statistics (1 = smallest) bound the population's q-quantile, each side missing it with probability at
/// most (1-level)/2. A side without a value far enough out has no bound.
struct QuantileOrders {
  std::optional<std::size_t> low;
  std::optional<std::size_t> high;
  /// Probability that the bounds that exist hold together; none when neither exists.
  std::optional<double> coverage;
};
QuantileOrders quantile_interval_orders(std::size_t n, double q, double level = 0.95);

/// The interval itself, for sorted values; none when n is too small for both bounds (see quantile_interval_min_n).
std::optional<Interval> quantile_interval(std::span<const double> sorted, double q, double level = 0.95);

/// Smallest sample that has a two-sided interval: at 95 %, 6 for the median, 72 for P95, 368 for P99.
/// None when q is not strictly between 0 and 1, or level is not.
std::optional<std::size_t> quantile_interval_min_n(double q, double level = 0.95);

}  // namespace torchgate::stats
