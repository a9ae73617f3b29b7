// SPDX-License-Identifier: Apache-2.0
// What:    Welch's t-test of two samples with unequal variances.
// Assumes: independent values, means roughly normal. On iterations of one process that is false, see stats/README.md.
// Source:  [welch-1947]; degrees of freedom [satterthwaite-1946]. Boost's two_sample_t_test is not used: it pools the
//          variances unless one is twice the other, and does not exist in 1.74.
// Checked: tests/stats/welch_test.cpp, against SciPy ttest_ind(equal_var=False) and R t.test
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "stats/moments.hpp"

namespace torchgate::stats {

struct Welch {
  double difference = 0.0;      ///< mean(after) - mean(before), in the unit of the values
  double standard_error = 0.0;  ///< of the difference; 0 when neither side varies
  double t = 0.0;               ///< 0 or +-infinity when neither side varies
  std::optional<double> df;     ///< none when neither side varies
  double p = 1.0;               ///< two-sided; when neither side varies, 1 for equal and 0 for unequal means
};

/// None when a side has fewer than two values, a value is not finite, or a variance does not fit a double.
std::optional<Welch> welch(std::span<const double> before, std::span<const double> after);
std::optional<Welch> welch(const Moments& before, const Moments& after);

/// Degrees of freedom of a sum of variance estimates a (n_a - 1 df) and b, next to a part `known` without error
/// [satterthwaite-1946]. Infinite when a and b are 0; none when the whole sum is 0.
std::optional<double> satterthwaite_df(double a, std::size_t n_a, double b, std::size_t n_b, double known = 0.0);

}  // namespace torchgate::stats
