// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/pairs/confirmation.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "ci/gate/answer.hpp"
#include "ci/gate/evidence/case_state.hpp"
#include "ci/gate/evidence/in_units.hpp"
#include "ci/gate/evidence/incomplete.hpp"
#include "ci/gate/evidence/losses.hpp"
#include "ci/gate/evidence/numbers.hpp"
#include "ci/gate/explain/explain.hpp"
#include "ci/gate/pairs/open_cases.hpp"
#include "ci/gate/pairs/pair_state.hpp"
#include "ci/gate/pairs/tails.hpp"
#include "reports/facts/about_pairs.hpp"
#include "stats/rules.hpp"
#include "stats/screen.hpp"
#include "stats/two_series.hpp"

namespace torchgate::gate {
namespace {

using reports::Verdict;

// A screen that is sure of a change of so many gates is right about its run. What moved it is either the machine, which a reader can check, or something that
// both sides of the pairs share and that a pass would hide; less than that stored times of a shared machine often move by themselves.
constexpr double gates_of_a_large_suggestion = 4;

bool suspected(const Judged& judged) {
  return judged.decision.verdict == Verdict::suspected;
}

// What pairs did not compare they cannot clear. What may differ, and is only not known, stays where the screen is sure.
bool keeps_suspect(const Judged& judged, const stats::RuleAnswer& screened, const Uncompared& uncompared,
                   const Suspects& suspects) {
  const policy::Gate& own = suspects.policies.of(judged.case_name());
  return uncompared.differs || stats::beyond_gate(*screened.change, suspects.count, own.alpha, own.latency);
}

// The pairs of one case that both sides of them know, and that did not fail in them.
struct CasePairs {
  const CaseEvidence& before;
  const CaseEvidence& after;
  const PairPlan& plan;
  const std::string& rebuilt;
  bool left_open_by_screen = false;
  std::optional<Uncompared> uncompared = {};
  std::string changed_file = {};
};

// True: the pairs' answer does not replace the screen's, because of what they did not compare.
bool stands_without_pairs(Judged& judged, const stats::RuleAnswer& screened, const CasePairs& pairs,
                          const stats::RuleAnswer& found, const Suspects& suspects) {
  const Uncompared& uncompared = *pairs.uncompared;
  if ((uncompared.differs || !uncompared.same_programs) &&
      found.call == stats::Call::regressed) {  // slower by its code, whatever the files do
    add_reason(judged, ReasonKind::measured, uncompared.because);
    return false;
  }
  if (suspected(judged)) {
    if (!keeps_suspect(judged, screened, uncompared, suspects)) return false;
    judged.uncompared = uncompared.because;
    judged.pairs = std::make_unique<stats::RuleAnswer>(found);
    leave_unconfirmed(judged, screened, uncompared.because, suspects);
    if (uncompared.fails_nothing) judged.unconfirmed->beyond_gate = false;
    return true;
  }
  if (!pairs.left_open_by_screen || !uncompared.recorded) return false;
  judged.uncompared = judged.left_open = uncompared.because;
  add_reason(judged, ReasonKind::undecided_pairs, facts::left_open(uncompared.because));
  return true;
}

void confirm_case(Judged& judged, const stats::RuleAnswer& screened, const CasePairs& pairs, const Suspects& suspects) {
  const policy::Gate& own = suspects.policies.of(judged.case_name());
  ProcessValues before_values = process_values(pairs.before, judged.metric);
  ProcessValues after_values = process_values(pairs.after, judged.metric);
  const auto in_units = judge_in_units(before_values, after_values);
  const PairValues values = pair_values(before_values, after_values);
  const PairPlan plan = plan_of_case(pairs.plan, pairs.before, pairs.after, values.size());
  stats::RuleAnswer found = judge_case_pairs(values, plan, own);
  const bool was_suspected = suspected(judged);
  if (pairs.left_open_by_screen && found.call == stats::Call::inconclusive) {
    leave_open(judged, found, values, plan, own);
    if (found.pairs > 0) judged.pairs = std::make_unique<stats::RuleAnswer>(found);
    return;
  }
  if (pairs.uncompared && stands_without_pairs(judged, screened, pairs, found, suspects)) return;
  judged.pairs = std::make_unique<stats::RuleAnswer>(found);
  const stats::RuleAnswer& answer = *judged.pairs;
  if (answer.call == stats::Call::inconclusive && was_suspected) {
    add_rule_reasons(judged, ReasonKind::undecided_pairs, answer.reasons);
    add_reasons(judged, ReasonKind::undecided_pairs, loss_reasons(pairs.before, "the pairs' before"));
    add_reasons(judged, ReasonKind::undecided_pairs, loss_reasons(pairs.after, "the pairs' after"));
    if (const auto needed = processes_needed(answer)) judged.decision.processes_needed = needed;
    leave_unconfirmed(judged, screened,
                      answer.pairs == 0 ? facts::no_pair_measured() : facts::undecided_by_pairs(answer.pairs),
                      suspects);
    return;
  }
  const std::optional<double> stored = judged.decision.change;
  std::erase_if(judged.reasons, [](const Reason& reason) { return reason.kind != ReasonKind::work; });
  judged.in_units = in_units;
  decide_by_pairs(judged, answer, values, own);
  if (was_suspected && judged.decision.verdict != Verdict::regressed) {
    add_reason(judged, ReasonKind::provenance,
               stored ? facts::suggestion_unconfirmed(*stored, answer.pairs)
                      : facts::unknown_change_unconfirmed(answer.pairs));
  } else {
    add_reason(judged, ReasonKind::provenance,
               pairs.rebuilt.empty() ? facts::recorded_binaries() : facts::said(pairs.rebuilt));
  }
  if (judged.metric.primary) add_why(judged, pairs.before, pairs.after);
  if (!pairs.changed_file.empty() && judged.decision.verdict == Verdict::regressed)
    add_reason(judged, ReasonKind::why, facts::file_differs(pairs.changed_file));
}

// The pairs do not have it: it failed to list in them, or another machine was to measure them.
void stays_without_pairs(Judged& judged, const stats::RuleAnswer& screened, const record::Plan& plan, bool is_open,
                         const Suspects& suspects) {
  const facts::Fact missing = missing_shard_of(plan, judged.definition->group);
  const facts::Fact why = missing.empty() ? facts::Fact(facts::no_pairs_of_case) : facts::group_without_pairs(missing);
  if (suspected(judged)) return leave_unconfirmed(judged, screened, why, suspects);
  if (!is_open || missing.empty() || judged.decision.verdict != Verdict::inconclusive) return;
  judged.left_open = why;
  add_reason(judged, ReasonKind::undecided_pairs, facts::not_measured_in_pairs(missing));
}

void confirm_by_pairs(Screened& screened, const Confirming& confirming, const Suspects& suspects,
                      const policy::CaseGates& policy) {
  const SideEvidence before(*confirming.pairs, 0);
  const SideEvidence after(*confirming.pairs, 1);
  const PairStates states(*confirming.pairs);
  const PairPlans plans(*confirming.pairs, policy);
  for (std::size_t i = 0; i < screened.compared.size(); ++i) {
    Judged& judged = screened.compared[i];
    if (!judged.older_run.empty()) {
      if (suspected(judged))
        leave_unconfirmed(judged, screened.answers[i], facts::not_in_newest_run(judged.older_run), suspects);
      continue;
    }
    const CaseEvidence* paired_before = before.find(judged.case_name());
    const CaseEvidence* paired_after = after.find(judged.case_name());
    if (paired_before == nullptr || paired_after == nullptr) {
      stays_without_pairs(judged, screened.answers[i], confirming.pairs->plan, plans.is_open(judged.case_name()),
                          suspects);
      continue;
    }
    if (const auto state = states.of(*paired_before, *paired_after)) {
      judged = judged_pair_state(*judged.definition, std::move(judged.metric), *state);
      continue;
    }
    const PairPlan& plan = plans.of(judged.case_name());
    confirm_case(judged, screened.answers[i],
                 {*paired_before, *paired_after, plan, confirming.rebuilt, plans.is_open(judged.case_name()),
                  confirming.inputs->of_group(judged.definition->group),
                  confirming.inputs->changed_file(judged.definition->group)},
                 suspects);
    if (!judged.metric.primary) continue;
    forbid_pass_by_losses(judged, *paired_before, *paired_after);
    const policy::Gate& own = suspects.policies.of(judged.case_name());
    if (!same_objects_ran(*confirming.pairs, judged.definition->group))
      judged.slower_mean = slower_mean(*paired_before, *paired_after, judged.metric, plan, own);
    auto tails = judged_tails(*paired_before, *paired_after, judged.metric, plan, own);
    std::move(tails.begin(), tails.end(), std::back_inserter(screened.settled));
  }
}

/// Two processes of each side are apart by chance in one of six comparisons of equal sides, and where they agree by chance, an interval of two values
/// is as narrow as that of many: three of each are apart in one of twenty.
constexpr std::int64_t fewest_to_fail = 3;

// Of all stored runs that the screen pooled.
std::int64_t processes_before(const Judged& judged) {
  if (judged.pooled.empty()) return judged.before_processes;
  std::size_t processes = 0;
  for (const CaseEvidence* const run : judged.pooled)
    if (run != nullptr) processes += process_values(*run, judged.metric).medians.size();
  return static_cast<std::int64_t>(processes);
}

// By one to four stored runs: more of them say how much a run varies.
bool has_too_few_processes(const Judged& judged) {
  return judged.pooled.size() < stats::history_from_runs &&
         std::min(processes_before(judged), judged.after_processes) < fewest_to_fail;
}

/// A typical change that may be twice the gate is not known to be small.
constexpr double gates_of_a_loose_bound = 2;

// In turns the floor alone may show that nothing changed. By how much the typical time may have grown then: the one-sided 95 % bound.
std::optional<double> possible_typical_growth(const PairValues& values) {
  if (!values.took_turns()) return std::nullopt;
  const auto bound = stats::upper_bound_of(values.typical);
  return bound ? std::optional(std::expm1(*bound)) : std::nullopt;
}

}  // namespace

void leave_unconfirmed(Judged& judged, const stats::RuleAnswer& screened, const facts::Fact& because,
                       const Suspects& suspects) {
  const policy::Gate& own = suspects.policies.of(judged.case_name());
  const bool lies_beyond = stats::beyond_gate(*screened.change, suspects.count, own.alpha, own.latency);
  const bool beyond = lies_beyond && !has_too_few_processes(judged);
  judged.unconfirmed = Unconfirmed{because, beyond};
  add_reason(judged, ReasonKind::unconfirmed, facts::not_confirmed(because));
  if (lies_beyond && !beyond && own.unconfirmed != policy::Unconfirmed::warn) {
    judged.forbids_pass = true;
    add_reason(judged, ReasonKind::basis, facts::too_few_to_fail(fewest_to_fail));  // the headline has the first reason
  }
  if (beyond) {
    add_reason(judged, ReasonKind::unconfirmed,
               facts::interval_beyond_gate(1 - own.alpha / static_cast<double>(suspects.count), own.latency));
  }
  if (judged.metric.primary && judged.before != nullptr) add_why(judged, *judged.before, *judged.after);
}

void decide_by_pairs(Judged& judged, const stats::RuleAnswer& answer, const PairValues& values,
                     const policy::Gate& own) {
  if (answer.call == stats::Call::equivalent) {
    add_reason(judged, ReasonKind::within, facts::within_of_pairs(own.equivalence, answer.pairs));
    if (const auto worse = possible_typical_growth(values); worse && *worse > gates_of_a_loose_bound * own.latency)
      add_reason(judged, ReasonKind::within, facts::typical_is_less_certain(*worse));
  }
  decide(judged, answer);
}

void add_why(Judged& judged, const CaseEvidence& before, const CaseEvidence& after) {
  if (judged.decision.verdict != Verdict::regressed && !suspected(judged)) return;
  Why found = why(before, after);
  add_reasons(judged, ReasonKind::why, std::move(found.causes));
  if (!found.nothing_visible.empty()) add_reason(judged, ReasonKind::no_cause, std::move(found.nothing_visible));
  judged.operators = std::move(found.operators);
}

void doubt_large_suggestions(const Screened& screened, std::size_t suspects, policy::CasePolicies& policies,
                             Remarks& remarks) {
  std::vector<std::pair<double, const Judged*>> cleared;  // by what the screen saw
  for (std::size_t i = 0; i < screened.compared.size(); ++i) {
    const Judged& judged = screened.compared[i];
    const auto& seen = screened.answers[i].change;
    const bool clears = judged.decision.verdict == Verdict::equivalent ||
                        judged.decision.verdict == Verdict::improved ||
                        judged.decision.verdict == Verdict::inconclusive;
    if (!seen || !clears || judged.pairs == nullptr) continue;
    const policy::Gate& own = policies.of(judged.case_name());
    if (stats::beyond_gate(*seen, suspects, own.alpha, gates_of_a_large_suggestion * own.latency))
      cleared.emplace_back(seen->effect, &judged);
  }
  if (cleared.empty()) return;
  std::stable_sort(cleared.begin(), cleared.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  facts::Names names;
  for (const auto& [effect, judged] : cleared) names.push_back(judged->case_name());
  const auto& [effect, worst] = cleared.front();
  remarks.doubts.emplace_back(facts::large_suggestion_unconfirmed(
      std::move(names), relative_change(effect, worst->metric), worst->pairs->pairs));
}

std::size_t confirm(Screened& screened, const Confirming& confirming, policy::CasePolicies& policies,
                    const policy::CaseGates& policy) {
  const auto flagged = std::count_if(screened.compared.begin(), screened.compared.end(), suspected);
  const Suspects suspects{static_cast<std::size_t>(flagged), policies};
  if (confirming.pairs != nullptr) {
    confirm_by_pairs(screened, confirming, suspects, policy);
    return suspects.count;
  }
  const facts::Fact because =
      confirming.unconfirmed_because.empty() ? facts::no_pairs_requested() : confirming.unconfirmed_because;
  for (std::size_t i = 0; i < screened.compared.size(); ++i) {
    Judged& judged = screened.compared[i];
    if (suspected(judged)) {
      leave_unconfirmed(judged, screened.answers[i],
                        judged.older_run.empty() ? because : facts::not_in_newest_run(judged.older_run), suspects);
    }
    if (stats::find_rule(policy.rule)->needs_pairs()) {
      judged.reasons.clear();
      add_reason(judged, ReasonKind::unconfirmed, facts::paired_rule_only(because));
    }
  }
  return suspects.count;
}

}  // namespace torchgate::gate
