// SPDX-License-Identifier: Apache-2.0
// What:    --rule paired, `ab`, and the confirmation of suspects: exact signed rank on interleaved pairs, judged in the
//          order measured, stopped as soon as the answer is clear. Pairs that took turns by their floor and their typical change.
// Assumes: one process of each side per pair, the order inside each pair drawn by its own coin.
// Source:  [wilcoxon-1945], [hodges-lehmann-1963], [yuen-1974]; see stats/interleaved.hpp and stats/two_series.hpp.
// Checked: tests/stats/rules_test.cpp; tests/stats/interleaved_test.cpp against the Python reference
#include "stats/hodges_lehmann.hpp"
#include "stats/interleaved.hpp"
#include "stats/interleaved_options.hpp"
#include "stats/pair_evidence.hpp"
#include "stats/rule_files.hpp"
#include "stats/two_series.hpp"

namespace torchgate::stats {
namespace {

// Around the centre of the pairs' midpoints, of those pairs that the answer rests on.
std::optional<Levels> levels_of(std::span<const double> midpoints, const InterleavedJudgement& judged,
                                Estimator estimator) {
  if (!judged.effect || midpoints.size() < judged.pairs) return std::nullopt;
  const std::optional<double> centre = hodges_lehmann(midpoints.first(judged.pairs));
  if (!centre) return std::nullopt;
  return levels_around(*centre, *judged.effect, estimator);
}

// All but the levels.
RuleAnswer answer_of(const InterleavedJudgement& judged, const InterleavedOptions& looks) {
  RuleAnswer answer;
  answer.call = judged.call;
  answer.reasons = judged.reasons;
  answer.decided = judged.stop != Stop::not_yet;
  answer.pairs = judged.pairs;
  if (judged.blind) answer.pairs_to_alarm = first_pairs_to_alarm(looks);
  answer.effect = judged.effect;
  answer.p = judged.p;
  answer.p_limit = judged.p_limit.value_or(alpha_per_case(looks));
  // Where the call is `equivalent`, the interval that decided; where so few pairs have none at 1 - alpha/m, the 95 % one.
  answer.interval = judged.call == Call::equivalent ? judged.equivalence_interval
                    : judged.interval               ? judged.interval
                                                    : judged.trimmed;
  answer.cohen_d = judged.cohen_d;
  answer.smallest_detectable = judged.smallest_detectable;
  answer.more_pairs = judged.more_pairs;
  return answer;
}

RuleAnswer judge_medians(const CaseNumbers& one, const InterleavedOptions& looks) {
  const InterleavedJudgement judged = judge_interleaved(one.pair_differences, looks);
  RuleAnswer answer = answer_of(judged, looks);
  answer.levels = levels_of(one.pair_midpoints, judged, Estimator::pairs);
  return answer;
}

// The numbers are those of the measure that decided, the decision is that of both.
RuleAnswer judge_turns(const CaseNumbers& one, const InterleavedOptions& looks) {
  const TwoSeriesJudgement judged = judge_two_series(one.pair_differences, one.pair_typical, looks);
  InterleavedJudgement decisive = judged.decisive();
  decisive.call = judged.call;
  decisive.stop = judged.stop;
  decisive.blind = judged.floor.blind && judged.typical.blind;
  if (judged.contradicted && judged.call == Call::inconclusive) {
    decisive.reasons = {Reason::measures_disagree};  // whatever the one of them says by itself
    if (judged.stop == Stop::last_pair) decisive.reasons.add(Reason::pairs_exhausted);
    if (!decisive.more_pairs) decisive.more_pairs = judged.other().more_pairs;
  }
  RuleAnswer answer = answer_of(decisive, asks_both(looks) ? half_of_alpha(looks) : looks);
  const bool floor = judged.measure == Measure::floor;
  answer.levels = levels_of(floor ? one.pair_midpoints : one.pair_typical_midpoints, decisive,
                            floor ? Estimator::floor : Estimator::typical);
  answer.measure = judged.measure;
  if (judged.contradicted) answer.other_effect = judged.other().effect;
  return answer;
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
    const bool took_turns = !one.pair_typical.empty() && one.pair_typical.size() == one.pair_differences.size();
    answers.push_back(took_turns ? judge_turns(one, looks) : judge_medians(one, looks));
  }
  return answers;
}

}  // namespace torchgate::stats
