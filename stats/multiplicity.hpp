// SPDX-License-Identifier: Apache-2.0
// What:    p values adjusted for being many: compare the adjusted ones with alpha (Holm) or the false discovery rate
// (BH, BY). Assumes: Holm and BY: nothing about dependence. BH: independent or positively dependent tests. Source:
// [holm-1979], [benjamini-hochberg-1995], [benjamini-yekutieli-2001]. Checked: tests/stats/multiplicity_test.cpp,
// against statsmodels on the example of Benjamini and Hochberg
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace torchgate::stats {

/// Adjusted p values in the order given. None when one is outside [0, 1] or NaN; empty for empty.
std::optional<std::vector<double>> holm(std::span<const double> p);
std::optional<std::vector<double>> benjamini_hochberg(std::span<const double> p);
std::optional<std::vector<double>> benjamini_yekutieli(std::span<const double> p);

}  // namespace torchgate::stats
