// SPDX-License-Identifier: Apache-2.0
// What:    exact upper and lower bounds of the chance of a hit, from k hits in n independent trials.
// Assumes: independent trials of equal chance. Tests of one pull request are not independent; pull requests are.
// Source:  Clopper, Pearson. The use of confidence or fiducial limits illustrated in the case of the binomial.
//          Biometrika 26:404-413, 1934. The bound p_u solves P(Bin(n, p_u) <= k) = 1 - level, a quantile of the beta
//          distribution.
// Checked: tests/simulations/share_test.cpp, against closed forms (k = 0, k = n) and binomial sums
#pragma once

#include <cstddef>
#include <optional>

namespace torchgate::simulations {

/// One-sided upper bound of the chance: 1 when every trial hit. None when n = 0, hits > n, or level is not strictly
/// between 0 and 1.
std::optional<double> share_upper_bound(std::size_t hits, std::size_t n, double level = 0.95);

/// One-sided lower bound; 0 when no trial hit.
std::optional<double> share_lower_bound(std::size_t hits, std::size_t n, double level = 0.95);

}  // namespace torchgate::simulations
