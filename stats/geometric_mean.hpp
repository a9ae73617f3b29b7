// SPDX-License-Identifier: Apache-2.0
// What:    the geometric mean, the mean that belongs to ratios: that of two suites' ratio is the ratio of theirs.
// Assumes: positive values.
// Source:  exp of the mean of the logarithms.
// Checked: tests/stats/certified_test.cpp, against the geomean rows of benchstat
#pragma once

#include <optional>
#include <span>

namespace torchgate::stats {

/// None when empty, or when a value is zero, negative or not finite.
std::optional<double> geometric_mean(std::span<const double> values);

}  // namespace torchgate::stats
