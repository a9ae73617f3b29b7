// SPDX-License-Identifier: Apache-2.0
// What:    judges n interleaved pairs, n fixed in advance, and computes how many pairs a question needs.
// Assumes: d_k = ln(after_k) - ln(before_k), one process of each side, larger is worse, the order inside each pair
//          drawn by its own coin. Then the signed-rank test is exact for noise of any shape.
// Source:  p: exact signed rank; estimate: Hodges-Lehmann; equivalence: 10 % trimmed mean [yuen-1974], two one-sided
//          tests [schuirmann-1987]; sizes: power of the t test with the signed rank's efficiency 3/pi
//          [hodges-lehmann-1956].
// Checked: tests/stats/pairs_test.cpp; tests/stats/interleaved_test.cpp against the Python reference
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "stats/change_estimate.hpp"
#include "stats/pair_judgement.hpp"  // IWYU pragma: export

namespace torchgate::stats {

/// regressed (improved) iff p < alpha * alpha_share / m and the effect is at least the margin (at most its mirror image); equivalent
/// iff both one-sided 5 % tests place it inside the equivalence margin (from six pairs on); else inconclusive with the
/// reason.
PairJudgement judge_pairs(std::span<const double> differences, const PairOptions& options = {});

/// Pairs for `power` to see an effect (log ratio) at two-sided alpha, never fewer than can reach that p at all.
/// None when it would be more than 100,000, or the input is not sensible (pair_sd < 0, effect 0, ...).
std::optional<std::size_t> pairs_needed(double pair_sd, double effect, double alpha, double power = 0.9);

/// The smallest effect (log ratio) that n pairs show with `power` at two-sided alpha: that of a t test of a CHANGE with such a standard error and df, and,
/// where only pairs that are all on one side reach alpha, at least the one with which all are: Phi(effect / pair_sd)^n = power. None: no pairs reach alpha.
std::optional<double> detectable_by_signed_rank(const ChangeEstimate& change, double pair_sd, std::size_t pairs,
                                                double alpha, double power);

}  // namespace torchgate::stats
