// SPDX-License-Identifier: Apache-2.0
// What:    how often the largest of all splits of an unchanged series is as large as what was observed.
// Assumes: rank CUSUM: independent values, of any distribution. Pooled t: independent normal values. At least four values
//          on each side of a split.
// Source:  20,000 simulated series for each n with a fixed seed: the maximum over the splits has no simple formula, and
//          testing the best split as if it were the only one gives 8 to 65 % false series per 100 runs. rank CUSUM
//          [page-1954, pettitt-1979], with the scale of each split divided out; pooled t [hawkins-1977].
// Checked: tests/stats/change_point_null_test.cpp, against the full lists of draws (numpy) and, at small n, all orders
#pragma once

#include <cstddef>
#include <optional>

#include "stats/null_statistic.hpp"

namespace torchgate::stats {

/// The smallest p there is: one in 20,001, for a value beyond all draws.
inline constexpr double null_smallest_p = 1.0 / 20001;

/// (draws >= maximum + 1) / (draws + 1). Whether it is at most .001, .01 or .05 is exact; so is every p below .001, and below .01 at n = 60,
/// where p-values of windows are compared with each other. In between the count is interpolated (its logarithm, linear in
/// the statistic), within a few per cent (12 at worst). Falls as `maximum` grows. None when n is outside the table or `maximum` is NaN.
std::optional<double> null_p(NullStatistic statistic, std::size_t n, double maximum);

}  // namespace torchgate::stats
