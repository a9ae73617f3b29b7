// SPDX-License-Identifier: Apache-2.0
// What:    Wilcoxon's signed-rank test of "the values are symmetric about 0", and the interval of their centre.
//          Exact up to 50 values, ties and zeros included; normal with tie and continuity correction above.
// Assumes: under "no change" the sign of each value is a fair coin, whatever its size. Differences of pairs measured in
//          random order have that property by construction; nothing is assumed about the shape of the noise.
// Source:  [wilcoxon-1945]; null distribution f_n = f_{n-1} (1 + x^n), interval from the Walsh averages
//          [hollander-wolfe-chicken-2014, chapter 3]. Zeros are dropped and ties share midranks, and the
//          distribution is the exact one for the remaining magnitudes (R and SciPy switch to the normal
//          approximation).
// Checked: tests/stats/signed_rank_test.cpp, against all 2^n sign patterns for n <= 12, R and SciPy
#pragma once

#include <cstddef>
#include <numbers>
#include <optional>
#include <span>

#include "stats/interval.hpp"

namespace torchgate::stats {

/// The most values whose distribution is computed exactly: all counts up to 2^50 are exact in a double.
inline constexpr std::size_t signed_rank_exact_up_to = 50;

/// Asymptotic relative efficiency to the t test on normal values [hodges-lehmann-1956].
inline constexpr double signed_rank_efficiency = 3.0 / std::numbers::pi;

struct SignedRank {
  std::size_t n = 0;               ///< values that are not zero
  std::size_t zeros = 0;           ///< values that are zero, and have no sign
  double positive_rank_sum = 0.0;  ///< V, the sum of the ranks of the positive values
  double p = 1.0;                  ///< two-sided
  bool exact = true;
};

/// None when empty or a value is not finite. All zeros: p = 1.
std::optional<SignedRank> signed_rank(std::span<const double> values);

/// The smallest two-sided p that n values can reach: 2/2^n (1 for none).
double signed_rank_smallest_p(std::size_t n);

/// Interval of the centre of symmetry: the (C+1)-th smallest and largest Walsh average, C the largest c with
/// P(V <= c) <= (1-level)/2. None when empty, not finite, or when n is too small for any bound at this level.
std::optional<Interval> signed_rank_interval(std::span<const double> values, double level = 0.95);

}  // namespace torchgate::stats
