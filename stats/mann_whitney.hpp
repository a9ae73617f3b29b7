// SPDX-License-Identifier: Apache-2.0
// What:    Mann-Whitney U test of two samples. Exact up to 50 values a side without ties, or 50 in all with ties;
//          above, a normal approximation with corrections.
// Assumes: independent values; under "no change" every order of the pooled values is equally likely.
// Source:  [mann-whitney-1947]; without ties the counts are the Gaussian binomial coefficients
//          prod (1 - x^(n1+j)) / (1 - x^j), with ties those of all choices of n1 of the pooled midranks.
// Checked: tests/stats/mann_whitney_test.cpp, against go-moremath, R, SciPy and all choices for small samples
#pragma once

#include <cstddef>
#include <optional>
#include <span>

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

}  // namespace torchgate::stats
