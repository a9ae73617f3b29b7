// SPDX-License-Identifier: Apache-2.0
// Shared by rule_welch and rule_history: the result of a screen as the answer of a rule, and the false discovery rate.
#include <algorithm>
#include <cmath>

#include "stats/multiplicity.hpp"
#include "stats/rule_files.hpp"

namespace torchgate::stats {
namespace {

// The usual false discovery rate: one in twenty candidates may be false.
constexpr double false_discovery_level = 0.05;

// The interval that decided: `equivalent` rests on the 90 % interval (stats/README.md, "Equivalent").
std::optional<Interval> shown_interval(const ChangeEstimate& change, Call call, double alpha) {
  return effect_interval(change, call == Call::equivalent ? equivalence_level : 1.0 - alpha);
}

}  // namespace

ScreenOptions screen_options(const RuleOptions& options) {
  ScreenOptions screen;
  screen.candidate_p = options.candidate_p;
  screen.equivalence = options.equivalence;
  screen.run_sd = options.run_sd;
  return screen;
}

RuleAnswer as_answer(const Screen& screen, const RuleOptions& options) {
  RuleAnswer answer;
  answer.call = screen.call;
  answer.reasons = screen.reasons;
  answer.candidate = screen.candidate;
  answer.cohen_d = screen.cohen_d;
  answer.change = screen.change;
  if (screen.change) {
    answer.effect = screen.change->effect;
    answer.levels = screen.levels;
    answer.p = screen.change->p;
    answer.p_limit = options.candidate_p;
    answer.interval = shown_interval(*screen.change, screen.call, options.alpha);
    answer.smallest_detectable = smallest_detectable_effect(*screen.change, options.candidate_p);
  }
  return answer;
}

void keep_discoveries(std::span<RuleAnswer> answers, const RuleOptions& options) {
  if (!options.false_discovery_rate) return;
  std::vector<double> p;
  for (const RuleAnswer& answer : answers) {
    if (answer.p) p.push_back(*answer.p);
  }
  const std::optional<std::vector<double>> adjusted = benjamini_hochberg(p);
  if (!adjusted) return;  // p values of a t distribution are probabilities
  std::size_t next = 0;
  for (RuleAnswer& answer : answers) {
    if (!answer.p) continue;
    const double discovered = (*adjusted)[next++];
    if (discovered > 0.0) answer.p_limit = false_discovery_level * *answer.p / discovered;
    if (!answer.candidate) continue;
    const bool matters = std::abs(*answer.effect) >= std::log1p(options.margin);
    if (discovered < false_discovery_level && matters) continue;
    answer.candidate = false;
    answer.reasons.add(matters ? Reason::not_significant : Reason::below_margin);
    answer.call = is_equivalent(*answer.change, options.equivalence) ? Call::equivalent : Call::inconclusive;
    answer.interval = shown_interval(*answer.change, answer.call, options.alpha);
  }
}

}  // namespace torchgate::stats
