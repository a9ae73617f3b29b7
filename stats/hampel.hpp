// SPDX-License-Identifier: Apache-2.0
// What:    the Hampel filter of a series: a value (or two in a row) far outside both its neighbourhoods becomes their common
//          median.
// Assumes: values in time order. One or two runs are never a level change: after a level change the following runs
//          agree with it.
// Source:  [hampel-1974] (median and its absolute deviation), as a filter [davies-gather-1993]. The spread is taken from the
//          differences of neighbours (median absolute deviation x 1.4826 / sqrt 2), which steps do not widen. Three values
//          on each side, four spreads beyond the nearer of the two side medians.
// Checked: tests/stats/hampel_test.cpp; through tests/stats/change_point_test.cpp against cpd.py
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace torchgate::stats {

struct Filtered {
  std::vector<double> values;         ///< as given, but for the outliers
  std::vector<std::size_t> outliers;  ///< indices of the values that were replaced, ascending
};

/// Values with fewer than two neighbours on a side are left alone. REQUIRES: finite values.
Filtered hampel_filter(std::span<const double> values);

}  // namespace torchgate::stats
