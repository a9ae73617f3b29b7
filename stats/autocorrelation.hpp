// SPDX-License-Identifier: Apache-2.0
// What:    the lag-1 autocorrelation of a series: the correlation of each value with the next one.
// Assumes: values in the order measured.
// Source:  r_1 = sum (y_i - m)(y_{i+1} - m) / sum (y_i - m)^2, the definition NIST certifies [nist-strd].
// Checked: tests/stats/certified_test.cpp and tests/stats/summary_test.cpp, against the certified values of NIST
#pragma once

#include <optional>
#include <span>

namespace torchgate::stats {

/// -1 to 1. None below two values, when they are all equal, when one is not finite, or when their variance does not fit
/// a double.
std::optional<double> lag1_autocorrelation(std::span<const double> values);

}  // namespace torchgate::stats
