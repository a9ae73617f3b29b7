// SPDX-License-Identifier: Apache-2.0
// What:    p values adjusted for the number of tests: compare the adjusted ones with alpha (Holm) or with the false
//          discovery rate (Benjamini-Hochberg).
// Assumes: Holm: nothing about dependence. Benjamini-Hochberg: independent or positively dependent tests.
// Source:  [holm-1979], [benjamini-hochberg-1995].
// Checked: tests/stats/multiplicity_test.cpp, against statsmodels on the example of Benjamini and Hochberg
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace torchgate::stats {

/// Adjusted p values in the order given. None when one is outside [0, 1] or NaN; empty for empty.
std::optional<std::vector<double>> holm(std::span<const double> p);
std::optional<std::vector<double>> benjamini_hochberg(std::span<const double> p);

}  // namespace torchgate::stats
