// SPDX-License-Identifier: Apache-2.0
// What:    judges pairs while they are being measured and decides when to stop: three looks that can alarm, and after
//          every pair from the sixth on a look that can only find "no harm".
// Assumes: as stats/pairs.hpp, with the differences in the order measured.
// Source:  alpha is spent 10/30/60 % over the looks (Bonferroni); the first look is the earliest that can alarm at all.
//          The no-harm and the equivalence stop spend no alpha: they never lead to `regressed`. Evidence and costs: stats/README.md.
// Checked: tests/stats/interleaved_test.cpp, against the Python reference on generated sequences
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "stats/pairs.hpp"

namespace torchgate::stats {

struct InterleavedOptions : PairOptions {
  std::size_t last = 48;  ///< pairs at most
  /// Stop when a slow-down of this share is excluded (or of `equivalence`, if that is smaller), and a speed-up of the equivalence margin:
  /// the stop implies `equivalent`.
  double harm = 0.02;
  /// Two-sided level of the trimmed mean's interval that excludes harm. 0.98 where a gate confirms suspects: fewer true
  /// slow-downs end as "no harm", for more pairs (stats/README.md, "Pairs").
  double no_harm_level = 0.95;
  /// Two-sided level of the trimmed mean's interval that ends pairs as `equivalent` where it lies inside the equivalence
  /// margin; 0: no such stop. For cases that are not suspected: it ends them earlier than the no-harm stop, and true changes
  /// between `harm` and the margin too. Not where the interval lies wholly beyond `margin` on one side: a look calls that.
  double equivalence_stop_level = 0.0;
  std::size_t equivalence_stop_from = 6;  ///< pairs before that stop, at least 3
};

enum class Stop : std::uint8_t {
  not_yet,      ///< measure more; the call is the one for ending here
  significant,  ///< a look alarmed
  no_harm,      ///< harm is excluded
  within,       ///< the interval of the equivalence stop lies inside the margin
  last_pair,    ///< the last pair was measured
};

struct InterleavedJudgement : PairJudgement {
  Stop stop = Stop::not_yet;
  /// alpha * alpha_share / m times the share of the look that stopped it; p was below. Only when stop is `significant`,
  /// and then `interval` has the level 1 - this limit.
  std::optional<double> p_limit;
  /// The next number of pairs at which `regressed` or `improved` can be said; none after the last look.
  std::optional<std::size_t> next_look;
  /// None of the looks so far could have alarmed, however large the change: an undecided case was not tested at all.
  bool blind = false;
};

/// First look that can alarm: the smallest n >= 16 (12 for one or two cases) whose smallest p is within 10 % of
/// alpha/m. `alpha` is what the family has: alpha * alpha_share of the options.
std::size_t first_look(std::size_t family, double alpha = 0.01);

/// The slow-down, as a share, that a stop for "no harm" excludes: `harm`, or `equivalence` if that is smaller.
double harm_limit(const InterleavedOptions& options);

/// What p has to be below for a change to be called after n pairs; 0 where there is no look.
double look_limit(std::size_t n, const InterleavedOptions& options);

/// The fewest pairs with which `regressed` is possible at all: the smallest `last` whose looks can alarm when every pair
/// is slower. 9 for one case at 1 %, 11 for six. 1000 when no number of pairs can (alpha 0).
std::size_t fewest_pairs_to_alarm(std::size_t family, double alpha = 0.01);

/// The number of pairs at the first look of these options that can alarm; fewest_pairs_to_alarm() when none can.
std::size_t first_pairs_to_alarm(const InterleavedOptions& options);

/// What the last of these pairs decides, when no shorter beginning of them stopped: for a caller that measures pair by
/// pair, at the cost of one look instead of all looks so far. `not_yet` also for values that are not finite.
Stop stop_after(std::span<const double> differences, const InterleavedOptions& options = {});

/// Judges all of the differences, as the procedure does when no shorter beginning of them stopped it.
InterleavedJudgement judge_after(std::span<const double> differences, const InterleavedOptions& options = {});

/// Judges as many of the differences as the procedure would have measured (`pairs` says how many that is).
InterleavedJudgement judge_interleaved(std::span<const double> differences, const InterleavedOptions& options = {});

}  // namespace torchgate::stats
