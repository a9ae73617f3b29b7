// SPDX-License-Identifier: Apache-2.0
// What:    ranks with ties sharing the mean of their places (midranks).
// Assumes: finite values.
// Source:  [hollander-wolfe-chicken-2014, chapters 3 and 4].
// Checked: through tests/stats/signed_rank_test.cpp and tests/stats/mann_whitney_test.cpp
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace torchgate::stats {

struct Ranks {
  /// Twice the midrank of each value, in the order given: midranks may end in .5, twice them are whole numbers.
  std::vector<std::size_t> doubled;
  /// Sum of t^3 - t over the groups of t equal values; 0 without ties.
  double tie_term = 0.0;
};

Ranks midranks(std::span<const double> values);

/// Of a rank statistic, where there are too many values for its exact distribution.
struct NormalApproximation {
  double mean;
  double sd;
};

}  // namespace torchgate::stats
