// SPDX-License-Identifier: Apache-2.0
// What:    whether values in time order rise or fall.
// Assumes: independent values of one distribution, whatever it is, where they do neither.
// Source:  [mann-1945], exact: a permutation has as many inversions as discordant pairs, and the number of permutations with so many follows from
//          that of one value fewer. Equal values count as neither, which makes the test stricter.
// Checked: tests/stats/mann_kendall_test.cpp, against all orders and the table of [hollander-wolfe-chicken-2014]
#pragma once

#include <span>

namespace torchgate::stats {

/// Two-sided p of "neither rises nor falls"; 1 for fewer than two values. Time and memory grow with the third power and the square of their number.
/// REQUIRES: finite values.
double mann_kendall_p(std::span<const double> values);

}  // namespace torchgate::stats
