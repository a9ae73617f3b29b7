// SPDX-License-Identifier: Apache-2.0
// What:    the numbers of processes whose pair took turns: the floor of a process, the mean of each of its turns, and the typical
//          change between the two processes of a pair.
// Assumes: other load only adds time. Turns of one number were neighbours in time, so that both met about the same load.
// Source:  chosen among 23 by recorded pairs (tests/studies/turns_study.py; README.md, "Pairs that took turns"). The 1 % quantile finds the
//          undisturbed time of a machine that is disturbed most of the time, and does not rest on one sample where there are
//          many. The harmonic mean sees a call that is slow every third time, and is hardly moved by a sample of a thousand times
//          the usual time (a preempted process), which the arithmetic mean of a turn of twenty samples is.
// Checked: tests/stats/turns_test.cpp, by hand and against other formulas
#pragma once

#include <optional>
#include <span>

#include "stats/textbook.hpp"

namespace torchgate::stats {

inline constexpr double floor_share = 0.01;

/// What a call takes when nothing disturbs it, in the unit of the samples: their quantile at `floor_share` (at 1 - `floor_share` where
/// higher is better). None when empty or a value is not finite.
std::optional<double> floor_of(std::span<const double> samples, Better better = Better::lower);

/// Of the samples of one turn: their harmonic mean (their arithmetic mean where higher is better: of a rate that is the same). None when
/// empty, or a value is not positive or not finite.
std::optional<double> turn_mean(std::span<const double> samples, Better better = Better::lower);

/// Median over the turns of ln(after / before). None when the sides have different numbers of turns, none at all, or a mean is
/// not positive or not finite.
std::optional<double> typical_change(std::span<const double> before_means, std::span<const double> after_means);

}  // namespace torchgate::stats
