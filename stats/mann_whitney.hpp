// SPDX-License-Identifier: Apache-2.0
// What:    Mann-Whitney U test of two samples, and the Hodges-Lehmann interval of the shift between them. Exact while
// both
//          sides have at most 50 values without ties, or 50 in all with ties; normal with corrections above.
// Assumes: independent values; under "no change" every order of the pooled values is equally likely.
// Source:  [mann-whitney-1947]; without ties the counts are the Gaussian binomial coefficients
//          prod (1 - x^(n1+j)) / (1 - x^j), with ties those of all choices of n1 of the pooled midranks. Interval:
//          [hollander-wolfe-chicken-2014, chapter 4].
// Checked: tests/stats/mann_whitney_test.cpp, against go-moremath, R, SciPy and all choices for small samples
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "stats/interval.hpp"

namespace torchgate::stats {

struct MannWhitneyLimits {
  std::size_t exact_per_side = 50;   ///< without ties
  std::size_t exact_with_ties = 50;  ///< both sides together
};

struct MannWhitney {
  double u = 0.0;  ///< pairs with after > before, ties counted half
  double p = 1.0;  ///< two-sided: twice the smaller tail, at most 1
  bool exact = true;
};

/// None when a side is empty or a value is not finite.
std::optional<MannWhitney> mann_whitney(std::span<const double> before, std::span<const double> after,
                                        const MannWhitneyLimits& limits = {});

/// Interval of the shift after - before: the (C+1)-th smallest and largest difference, C the largest c with
/// P(U <= c) <= (1-level)/2. None when the samples are too small for any bound at this level.
std::optional<Interval> shift_interval(std::span<const double> before, std::span<const double> after,
                                       double level = 0.95);

}  // namespace torchgate::stats
