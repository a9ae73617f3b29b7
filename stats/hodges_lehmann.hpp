// SPDX-License-Identifier: Apache-2.0
// What:    the Hodges-Lehmann estimate of the centre of a sample.
// Assumes: a symmetric distribution.
// Source:  [hodges-lehmann-1963]: median of the Walsh averages.
// Checked: tests/stats/hodges_lehmann_test.cpp, against R wilcox.test(conf.int=TRUE) and a double loop
#pragma once

#include <optional>
#include <span>

namespace torchgate::stats {

/// Median of all (x_i + x_j)/2, i <= j. One value: itself. None when empty or a value is not finite.
std::optional<double> hodges_lehmann(std::span<const double> values);

}  // namespace torchgate::stats
