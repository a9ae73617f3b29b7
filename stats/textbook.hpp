// SPDX-License-Identifier: Apache-2.0
// What:    the textbook rule, literally: regression iff Welch p < 0.05 and Cohen's d > 0.2, on the samples given.
// Assumes: independent samples, which iterations of one process are not: on real unchanged code this rule raises false
//          alarms in 12-31 % of tests. It is offered because people ask for it; its p and d are in every report.
// Source:  [welch-1947], [cohen-1988]; the edge cases are our choice, see `textbook`.
// Checked: tests/stats/textbook_test.cpp; 20 published and generated pairs against SciPy in tests/stats/welch_test.cpp
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "stats/effect_size.hpp"
#include "stats/verdict.hpp"

namespace torchgate::stats {

/// Which direction of a metric is good.
enum class Better : std::uint8_t { lower, higher };

struct TextbookOptions {
  double alpha = 0.05;  ///< p must be below
  double min_d = 0.2;   ///< d must be above
  double gate = 0.05;   ///< worse by more than this share of the old mean (latency 5 %, memory 10 %)
  Better better = Better::lower;
};

struct Textbook {
  Call call = Call::inconclusive;  ///< regressed, improved or inconclusive: this rule has no test of equivalence
  Reasons reasons;
  std::optional<double> t;            ///< 0 or +-infinity when neither side varies
  std::optional<double> df;           ///< none when neither side varies
  std::optional<double> p;            ///< 1 (equal means) or 0 when neither side varies
  std::optional<double> d;            ///< positive: after is larger, whichever is better; may be +-infinity
  std::optional<EffectWord> word;     ///< of d
  std::optional<double> mean_before;  ///< arithmetic; with `ratio`
  std::optional<double> ratio;  ///< mean(after) / mean(before); none unless both are positive and it fits a double
  bool beyond_gate = false;     ///< regressed, and worse by more than the gate
};

/// Never fails: fewer than two values on a side, or values that are not finite, are `inconclusive` with the reason.
Textbook textbook(std::span<const double> before, std::span<const double> after, const TextbookOptions& options = {});

}  // namespace torchgate::stats
