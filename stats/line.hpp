// SPDX-License-Identifier: Apache-2.0
// What:    the straight line through a series, one value for each whole step of time, and what it leaves.
// Assumes: values in the order measured.
// Source:  least squares, in the centred form; the sums are those of NumPy (pairwise_sum.hpp), whose answers the callers are checked against.
// Checked: tests/stats/slow_change_test.cpp, with numpy's polyfit, and tests/stats/change_point_test.cpp, with cpd.py
#pragma once

#include <span>
#include <vector>

namespace torchgate::stats {

struct Line {
  double mean = 0;   ///< the height in the middle
  double slope = 0;  ///< from a value to the next one
};

/// REQUIRES: at least two values.
Line line_through(std::span<const double> values);

/// VALUES without LINE, in their order.
std::vector<double> residuals(std::span<const double> values, const Line& line);

}  // namespace torchgate::stats
