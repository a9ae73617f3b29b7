// SPDX-License-Identifier: Apache-2.0
// What:    variances of many cases, each moved towards the usual variance of the suite, so that no case depends on its
//          own few degrees of freedom.
// Assumes: true variances spread like a scaled inverse chi-squared across the suite; s^2/sigma^2 is chi-squared/df.
// Source:  [smyth-2004] (limma's fitFDist), with the mean of trigamma(df/2) where df differs between cases.
// Checked: tests/stats/moderated_variance_test.cpp, against the Python reference
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace torchgate::stats {

/// Variances below this are raised to it: an SD of 1e-6 in log time is finer than any clock measures, and ln 0 does not
/// exist.
inline constexpr double smallest_log_variance = 1e-12;

/// Below this many cases the spread of their variances cannot be estimated, and each keeps its own.
inline constexpr std::size_t moderated_from_cases = 10;

struct Variance {
  double s2 = 0.0;
  double df = 1.0;
};

struct ModeratedVariances {
  std::vector<Variance> cases;  ///< in the order given; df includes d0
  double prior_df = 0.0;        ///< d0; infinite when the cases do not differ more than chance
  double prior_s2 = 0.0;        ///< s0^2
};

/// REQUIRES: at least two cases, s2 finite and >= 0, df > 0 and finite.
ModeratedVariances moderate(std::span<const Variance> cases);

/// y with trigamma(y) = x, x > 0, by Newton's method on 1/trigamma [smyth-2004].
double trigamma_inverse(double x);

}  // namespace torchgate::stats
