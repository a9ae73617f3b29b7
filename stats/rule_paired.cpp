// SPDX-License-Identifier: Apache-2.0
// What:    --rule paired, `ab`, and the confirmation of suspects: exact signed rank on interleaved pairs, judged in the
//          order measured, stopped as soon as the answer is clear.
// Assumes: one process of each side per pair, the order inside each pair drawn by its own coin.
// Source:  [wilcoxon-1945], [hodges-lehmann-1963], [yuen-1974]; see stats/interleaved.hpp.
// Checked: tests/stats/rules_test.cpp; tests/stats/interleaved_test.cpp against the Python reference
#include "stats/hodges_lehmann.hpp"
#include "stats/interleaved.hpp"
#include "stats/interleaved_options.hpp"
#include "stats/rule_files.hpp"

namespace torchgate::stats {
namespace {

// Around the centre of the pairs' midpoints, of those pairs that the answer rests on.
std::optional<Levels> levels_of(const CaseNumbers& one, const InterleavedJudgement& judged) {
  if (!judged.effect || one.pair_midpoints.size() < judged.pairs) return std::nullopt;
  const std::optional<double> centre = hodges_lehmann(one.pair_midpoints.first(judged.pairs));
  if (!centre) return std::nullopt;
  return levels_around(*centre, *judged.effect, Estimator::pairs);
}

}  // namespace

InterleavedOptions interleaved_options(const RuleOptions& options) {
  InterleavedOptions looks;
  looks.alpha = options.alpha;
  looks.family = options.family;
  looks.alpha_share = options.alpha_share;
  looks.margin = options.margin;
  looks.equivalence = options.equivalence;
  looks.last = options.last_pair;
  looks.harm = options.harm;
  looks.no_harm_level = options.no_harm_level;
  looks.equivalence_stop_level = options.equivalence_stop_level;
  return looks;
}

std::vector<RuleAnswer> rule_paired(std::span<const CaseNumbers> suite, const RuleOptions& options) {
  const InterleavedOptions looks = interleaved_options(options);
  std::vector<RuleAnswer> answers;
  answers.reserve(suite.size());
  for (const CaseNumbers& one : suite) {
    const InterleavedJudgement judged = judge_interleaved(one.pair_differences, looks);
    RuleAnswer answer;
    answer.call = judged.call;
    answer.reasons = judged.reasons;
    answer.decided = judged.stop != Stop::not_yet;
    answer.pairs = judged.pairs;
    if (judged.blind) answer.pairs_to_alarm = first_pairs_to_alarm(looks);
    answer.effect = judged.effect;
    answer.levels = levels_of(one, judged);
    answer.p = judged.p;
    answer.p_limit = judged.p_limit.value_or(options.alpha * options.alpha_share / static_cast<double>(options.family));
    // Where the call is `equivalent`, the interval that decided; where so few pairs have none at 1 - alpha/m, the 95 % one.
    answer.interval = judged.call == Call::equivalent ? judged.equivalence_interval
                      : judged.interval               ? judged.interval
                                                      : judged.trimmed;
    answer.cohen_d = judged.cohen_d;
    answer.smallest_detectable = judged.smallest_detectable;
    answer.more_pairs = judged.more_pairs;
    answers.push_back(answer);
  }
  return answers;
}

}  // namespace torchgate::stats
