// SPDX-License-Identifier: Apache-2.0
// What:    a sum by halves: eight running sums in blocks of up to 128 values, blocks added pair by pair.
// Assumes: -
// Source:  [higham-1993]; block sizes and order of additions are NumPy's. The order matters here: where a series has
//          no noise at all (a clean step), which of two equal splits is the larger one is decided by rounding, and the
//          answer has to be the reference's. Elsewhere in this folder sums are compensated (moments.hpp).
// Checked: tests/stats/pairwise_sum_test.cpp, bit for bit against NumPy
#pragma once

#include <span>

namespace torchgate::stats {

/// 0 for no values.
double pairwise_sum(std::span<const double> values);

/// REQUIRES: at least one value.
double pairwise_mean(std::span<const double> values);

}  // namespace torchgate::stats
