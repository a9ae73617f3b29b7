// SPDX-License-Identifier: Apache-2.0
// What:    one-way analysis of variance: do the means of several groups differ by more than their spread explains?
// Assumes: independent, roughly normal values with one variance in all groups.
// Source:  [fisher-1925]: F = (between/(k-1)) / (within/(n-k)). Deviations are taken from one value of the data first,
//          which is exact when the values share leading digits: with seven equal digits F then keeps ten.
// Checked: tests/stats/certified_test.cpp, against the certified values of the NIST StRD sets
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace torchgate::stats {

struct Anova {
  double ss_between = 0.0;  ///< sums of squares, in squared units of the values
  double ss_within = 0.0;
  double df_between = 0.0;
  double df_within = 0.0;
  double f = 0.0;  ///< +infinity when the groups differ and nothing varies inside them
  double p = 1.0;  ///< P(F > f) under equal means

  /// Mean square inside the groups, and between them.
  [[nodiscard]] double ms_within() const { return ss_within / df_within; }
  [[nodiscard]] double ms_between() const { return ss_between / df_between; }
};

/// None with fewer than two groups, an empty group, no more values than groups, a value that is not finite, or sums of
/// squares that do not fit a double. Nothing varies at all: f = 0, p = 1.
std::optional<Anova> one_way_anova(std::span<const std::vector<double>> groups);

}  // namespace torchgate::stats
