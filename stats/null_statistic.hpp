// SPDX-License-Identifier: Apache-2.0
// What:    the two statistics whose largest value over all splits is simulated, and for which lengths.
// Assumes: -
// Source:  change_point_null.hpp
// Checked: tests/stats/change_point_null_test.cpp
#pragma once

#include <cstddef>

namespace torchgate::stats {

enum class NullStatistic {
  rank_cusum,  ///< max over k of |rank sum of the first k - its mean| / its SD
  pooled_t     ///< max over k of |two-sample t with pooled variance| between the first k and the others
};

/// Lengths of series that the table knows; a split leaves at least four values on each side.
inline constexpr std::size_t null_smallest_n = 8;
inline constexpr std::size_t null_largest_n = 120;

}  // namespace torchgate::stats
