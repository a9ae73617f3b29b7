// SPDX-License-Identifier: Apache-2.0
// What:    Hodges-Lehmann estimates: the centre of one sample, and the shift between two.
// Assumes: a symmetric distribution (one sample), the same shape on both sides (two samples).
// Source:  [hodges-lehmann-1963]: median of the Walsh averages; median of all differences.
// Checked: tests/stats/hodges_lehmann_test.cpp, against R wilcox.test(conf.int=TRUE) and a double loop
#pragma once

#include <optional>
#include <span>

namespace torchgate::stats {

/// Median of all (x_i + x_j)/2, i <= j. One value: itself. None when empty or a value is not finite.
std::optional<double> hodges_lehmann(std::span<const double> values);

/// Median of all after_j - before_i. None when a side is empty or a value or difference is not finite.
std::optional<double> hodges_lehmann_shift(std::span<const double> before, std::span<const double> after);

}  // namespace torchgate::stats
