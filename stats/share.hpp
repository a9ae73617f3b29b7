// SPDX-License-Identifier: Apache-2.0
// What:    what k hits in n independent trials say about the chance of a hit: exact upper and lower bounds.
// Assumes: independent trials of equal chance. Tests of one pull request are not; pull requests are.
// Source:  [clopper-pearson-1934]: the bound p_u solves P(Bin(n, p_u) <= k) = 1 - level, a quantile of the beta
//          distribution.
// Checked: tests/stats/share_test.cpp, against closed forms (k = 0, k = n) and binomial sums
#pragma once

#include <cstddef>
#include <optional>

namespace torchgate::stats {

/// One-sided upper bound of the chance: 1 when every trial hit. None when n = 0, hits > n, or level is not strictly
/// between 0 and 1.
std::optional<double> share_upper_bound(std::size_t hits, std::size_t n, double level = 0.95);

/// One-sided lower bound; 0 when no trial hit.
std::optional<double> share_lower_bound(std::size_t hits, std::size_t n, double level = 0.95);

}  // namespace torchgate::stats
