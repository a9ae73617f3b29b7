// SPDX-License-Identifier: Apache-2.0
// What:    the best place to split a series into two levels, and its p.
// Assumes: as change_point.hpp, which uses it. Private to the .cpp files.
// Source:  as change_point.hpp
// Checked: through tests/stats/change_point_test.cpp
#pragma once

#include <cstddef>
#include <span>

namespace torchgate::stats {

/// Values on each side of a split.
inline constexpr std::size_t smallest_segment = 4;

struct Split {
  std::size_t at = 0;  ///< first value after the split
  double t = 0;        ///< pooled t there: the largest of all splits
  double p = 1;        ///< larger one of the p-values of both maxima
};

/// `inflation`: variance of a mean of correlated values over that of independent ones, (1 + phi) / (1 - phi).
/// REQUIRES: 8 to 120 values.
Split best_split(std::span<const double> values, double inflation);

/// p of the given split as if it were the best one of these values, by both tests.
double split_p(std::span<const double> before, std::span<const double> after, double inflation);

}  // namespace torchgate::stats
