// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/judge.hpp"

#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "ci/gate/action.hpp"
#include "ci/gate/assessment.hpp"
#include "ci/gate/claim_findings.hpp"
#include "ci/gate/evidence/case_state.hpp"
#include "ci/gate/evidence/fitness.hpp"
#include "ci/gate/evidence/headers.hpp"
#include "ci/gate/evidence/incomplete.hpp"
#include "ci/gate/evidence/machines.hpp"
#include "ci/gate/evidence/one_clock.hpp"
#include "ci/gate/evidence/redefined_cases.hpp"
#include "ci/gate/evidence/renamed_cases.hpp"
#include "ci/gate/evidence/stored_pool.hpp"
#include "ci/gate/evidence/unchanged_groups.hpp"
#include "ci/gate/evidence/vary.hpp"
#include "ci/gate/guards.hpp"
#include "ci/gate/instructions/judge_instructions.hpp"
#include "ci/gate/paired_cases.hpp"
#include "ci/gate/pairs/pair_inputs.hpp"
#include "ci/gate/pairs/same_objects.hpp"
#include "reports/facts/about_inputs.hpp"
#include "reports/facts/about_outcome.hpp"
#include "reports/facts/about_pairs.hpp"
#include "reports/facts/about_runs.hpp"
#include "reports/facts/about_states.hpp"

namespace torchgate::gate {
namespace {

using reports::Verdict;

// What the two stored runs say: which cases pairs have to compare, and what needs none.
struct SinceCases {
  SameGroups same;  // by content on both sides: judged by nothing that was measured
  std::vector<Judged> settled;
  std::vector<const record::Case*> to_measure;
  std::vector<std::string_view> counted_only;  // both sides measured them, and they have no primary metric
  std::size_t unchanged = 0;
  std::size_t gone = 0;
  std::size_t added = 0;
  std::size_t not_comparable = 0;
  std::int64_t not_planned = 0;  // measured at the pin, and left out by this run's plan
};

// A pinned commit is months away: counts and lists of cases that changed since were judged by the gates of the commits between. A baseline
// on another machine is the preceding commit: nothing else judges them.
bool long_ago(const Comparison& comparison) {
  return comparison.pin.has_value();
}

// Of a case that one of the commits does not measure, or not in the same way: listed. The gate of the commit that removed it has judged that.
Judged listed(Judged state, const CaseEvidence* before, const CaseEvidence* after, bool since_pin, SinceCases& found) {
  const Verdict verdict = state.decision.verdict;
  if (verdict == Verdict::missing && !since_pin) {
    ++found.gone;
  } else if (verdict == Verdict::missing) {
    ++found.gone;
    if (after == nullptr) replace_decision(state, verdict, ReasonKind::state, facts::gone_since_pin);
    state.action_rule = ActionRule::listed;
  } else if (verdict == Verdict::not_comparable) {
    ++found.not_comparable;
    // The difference may be as old as the pin: it is not a failure of the change, and the speed is unknown.
    if (since_pin) state.action_rule = ActionRule::no_numbers_before;
  } else if (verdict == Verdict::new_case) {
    ++found.added;
    if (before == nullptr && since_pin) replace_decision(state, verdict, ReasonKind::state, facts::not_at_pin);
  }
  return state;
}

// The pairs' sides outlive what is judged by them.
struct PairSides {
  explicit PairSides(const record::Run& pairs) : before(pairs, 0), after(pairs, 1) {}
  SideEvidence before;
  SideEvidence after;
};

// What the baseline has of a case.
class BeforeEvidence {
 public:
  // MEASURED: the pairs' before side, where no run came before them; else nullptr.
  BeforeEvidence(const SideEvidence& stored, const SideEvidence* measured) : stored_(stored), measured_(measured) {}

  [[nodiscard]] const CaseEvidence* find(std::string_view name, const CaseEvidence* after) const {
    if (measured_ == nullptr) return stored_.find(name);
    const CaseEvidence* const here = measured_->find(name);
    const bool says = here != nullptr &&
                      !(here->measured.empty() && here->failures.empty() && here->wrongs.empty() && here->lost.empty());
    if (says) return here;
    const CaseEvidence* const stored = stored_.find(name);
    // Of a suite that failed in every stored process the pairs have no before side: that does not make its cases new.
    const bool failed_there = stored != nullptr && stored->measured.empty() && failure_of(*stored);
    return after == nullptr || failed_there ? stored : nullptr;
  }

  // No pair of the case's group was begun: time was up.
  [[nodiscard]] bool had_no_turn(const CaseEvidence& after) const {
    if (measured_ == nullptr || after.processes > 0 || after.definition->skipped) return false;
    const CaseEvidence* const before = measured_->find(after.definition->name);
    return before != nullptr && before->processes == 0;
  }

 private:
  const SideEvidence& stored_;
  const SideEvidence* measured_;
};

// Places among what is settled of cases that one side alone measured: they may be one case under two names.
class OneSided {
 public:
  void remember(Verdict verdict, const CaseEvidence* before, const CaseEvidence* after, std::size_t place) {
    const auto measured = [](const CaseEvidence* side) { return side != nullptr && !side->measured.empty(); };
    if (verdict == Verdict::missing && measured(before) && !measured(after)) vanished_.push_back(place);
    if (verdict == Verdict::new_case && !measured(before)) appeared_.push_back(place);
  }

  void join(SinceCases& found) const {
    const std::size_t all = found.settled.size();
    const std::size_t joined = join_renamed(found.settled, vanished_, appeared_);
    found.gone -= joined;
    found.not_comparable += joined;
    found.added -= all - found.settled.size();
  }

 private:
  std::vector<std::size_t> vanished_;
  std::vector<std::size_t> appeared_;
};

// Each with the reason of `unchanged`.
SameGroups groups_without_a_change(const Comparison& comparison) {
  if (comparison.judge_unchanged) return {};
  if (!comparison.from_start) return same_groups(*comparison.baseline.front(), *comparison.current);
  SameGroups same;  // by content on both sides: judged by nothing that was measured
  for (const record::Group& group : comparison.pairs->groups) {
    if (identical_in_pairs(*comparison.pairs, group.name)) same.emplace(group.name, facts::identical_in_pairs);
  }
  return same;
}

SinceCases find_cases(const Comparison& comparison, const SideEvidence& pinned, const SideEvidence& current,
                      const SideEvidence* measured_before, bool partial_missing) {
  SinceCases found;
  const AbsentRules absent{measures_all_of(current.run().plan.profile, pinned.run().plan.profile), partial_missing};
  const UnchangedGroups left_out(pinned.run(), current.run());
  found.same = groups_without_a_change(comparison);
  const BeforeEvidence baseline(pinned, measured_before);
  const RedefinedCases redefined(comparison);
  OneSided one_sided;
  auto cases = cases_of(pinned, current);
  if (measured_before != nullptr) {  // also what the stored run did not measure
    for (const auto& [name, evidence] : measured_before->cases())
      if (!evidence.measured.empty()) cases.emplace(name, evidence.definition);
  }
  for (const auto& [name, definition] : cases) {
    const CaseEvidence* after = current.find(name);
    const CaseEvidence* before = baseline.find(name, after);
    if (after != nullptr && baseline.had_no_turn(*after)) {
      found.to_measure.push_back(definition);
      continue;
    }
    std::optional<Judged> state = after == nullptr ? std::nullopt : left_out.state(before, *after);
    if (!state && after != nullptr) {
      state = redefined.state(case_state(before, *after, &pinned, current), before, *after);
    } else if (!state && before != nullptr && !before->measured.empty()) {
      state = absent_state(*before, current, absent);
    }
    if (!state && before != nullptr && after != nullptr) {
      if (const auto group = found.same.find(definition->group); group != found.same.end())
        state = judged_state(*definition, Verdict::unchanged, group->second);
    }
    if (state) {
      if (state->decision.verdict == Verdict::unchanged) ++found.unchanged;
      one_sided.remember(state->decision.verdict, before, after, found.settled.size());
      found.settled.push_back(listed(*std::move(state), before, after, long_ago(comparison), found));
    } else if (before != nullptr && after != nullptr && primary_metric(*definition) != nullptr) {
      found.to_measure.push_back(definition);
    } else if (before != nullptr && after != nullptr) {
      found.counted_only.push_back(name);
    } else if (after == nullptr && before != nullptr && !before->measured.empty()) {
      ++found.not_planned;
    }
  }
  if (!long_ago(comparison)) one_sided.join(found);
  return found;
}

facts::Fact what_was_found(const Comparison& comparison, const SinceCases& found) {
  const facts::Fact since =
      long_ago(comparison) ? facts::changes_since(reports::since_words(*comparison.pin)) : facts::no_stored_times();
  facts::Facts others;
  if (found.unchanged > 0) others.push_back(facts::byte_identical(found.unchanged));
  if (found.gone > 0) others.push_back(facts::no_longer_measured(found.gone));
  if (found.added > 0) others.push_back(facts::not_measured_then(found.added));
  if (found.not_comparable > 0) others.push_back(facts::cases_not_comparable(found.not_comparable));
  return (comparison.pairs == nullptr ? facts::to_compare_in_pairs : facts::compared_in_pairs)(
      since, comparison.baseline.front()->id, found.to_measure.size(), std::move(others));
}

// Without a word, a filter would pass what it hides.
void mention_not_planned(const SinceCases& found, const Comparison& comparison, reports::Report& report,
                         Remarks& remarks) {
  report.cases_not_planned = found.not_planned;
  if (found.not_planned == 0) return;
  remarks.notes.push_back(
      not_planned(found.not_planned, comparison.current->plan, long_ago(comparison) ? "the pin" : "the baseline"));
}

// Pairs may have more: those from the start are of all cases, also of those that need none to be judged, and of those that only the before side
// lists and the baseline did not measure. Others have cases that turned out to be redefined.
void leave_out_settled(const SinceCases& found, std::vector<Judged>& paired) {
  std::set<std::string_view> asked;
  for (const record::Case* definition : found.to_measure) asked.insert(definition->name);
  for (const std::string_view counted : found.counted_only) asked.insert(counted);
  std::erase_if(paired, [&](const Judged& judged) { return !asked.contains(judged.case_name()); });
}

// Why the report is incomplete; empty: the pairs compared every case that they were measured for.
facts::Fact judge_pairs(const Comparison& comparison, const PairSides& sides, SinceCases& found,
                        policy::CasePolicies& policies, const policy::CaseGates& policy, Remarks& remarks) {
  std::vector<Judged> paired = judge_paired_cases(sides.before, sides.after, policies, policy, remarks);
  if (!long_ago(comparison)) leave_out_settled(found, paired);
  // What git knows of files is not asked of a pin: over many commits some file always changed.
  const ChangedData changed_data = long_ago(comparison)      ? ChangedData(std::vector<std::string>())
                                   : comparison.changed_data ? comparison.changed_data
                                                             : comparison.pairs->changed_data;
  const PairInputs inputs(*comparison.baseline.front(), *comparison.current, *comparison.pairs, changed_data,
                          comparison.missing_commit);
  if (auto why = inputs.doubt()) remarks.doubts.emplace_back(*std::move(why));
  const GuardedPairs guarded{comparison.pairs, true, &found.to_measure, &sides.before, &inputs};
  const facts::Fact incomplete = guard_pairs(paired, guarded, policies, policy, remarks);
  const facts::Fact verified = comparison.from_start ? facts::recorded_baseline() : facts::recorded_binaries();
  const facts::Fact ran = comparison.rebuilt.empty() ? verified : facts::said(comparison.rebuilt);
  const facts::Fact provenance =
      long_ago(comparison) ? facts::since_pin_ran(reports::since_words(*comparison.pin), ran) : ran;
  for (Judged& judged : paired) {
    if (judged.before != nullptr) add_reason(judged, ReasonKind::provenance, provenance);
    // The gate of the commit that changed a count has judged it. Memory creeps as times do.
    if (long_ago(comparison) && judged.action_rule == ActionRule::counted &&
        !memory_grew(judged, policies.of(judged.case_name())))
      judged.action_rule = ActionRule::listed;
  }
  std::move(paired.begin(), paired.end(), std::back_inserter(found.settled));
  return incomplete;
}

// Instructions that were asked for (--instructions), of both sides of the pairs.
void judge_counted(const Comparison& comparison, const PairSides& sides, const SameGroups& same,
                   policy::CasePolicies& policies, const policy::CaseGates& policy, std::vector<Judged>& cases,
                   Remarks& remarks) {
  CountedSides counted{{comparison.pairs, 0}, {comparison.pairs, 1}, &sides.before, &sides.after};
  counted.leaves_out = [&](const std::string& group) { return same.contains(group); };
  judge_instructions(counted, policies, policy, cases, remarks);
}

facts::Fact why_unmeasured(const Comparison& comparison) {
  return facts::no_interleaved_pairs(comparison.no_pairs_because.empty() ? facts::they_were_not_requested()
                                                                         : comparison.no_pairs_because);
}

// Why the report is incomplete; empty: no case needs pairs.
facts::Fact leave_unmeasured_open(const Comparison& comparison, SinceCases& found) {
  for (const record::Case* definition : found.to_measure)
    found.settled.push_back(judged_state(*definition, Verdict::inconclusive, why_unmeasured(comparison)));
  return found.to_measure.empty() ? facts::Fact() : why_unmeasured(comparison);
}

void remark_on_runs(const Comparison& comparison, const policy::Gate& policy, Remarks& remarks) {
  std::vector<LabelledRun> runs;
  if (!comparison.from_start) runs.emplace_back(comparison.current, "this run");
  if (comparison.pairs != nullptr) runs.emplace_back(comparison.pairs, "the pairs");
  add_machine_findings(remarks, {runs.back()}, policy);
  add_run_doubts(remarks, runs);
}

// A pin is compared on the machine that measured it: its list of cases and its binaries are of that kind of machine. A baseline of another
// machine is taken only where there is no other.
std::optional<facts::Fact> refused_because(const Comparison& comparison) {
  if (!long_ago(comparison)) return std::nullopt;
  return refuse_comparison(comparison.baseline.front()->machine, comparison.current->machine);
}

reports::Report with_headers(const Comparison& comparison, const policy::Gate& policy) {
  reports::Report report = report_under(policy);
  report.since = comparison.pin;
  report.before =
      side_header(*comparison.baseline.front(), 0, long_ago(comparison) ? "pin " + comparison.pin->name : "baseline");
  report.after = side_header(*comparison.current, 0, "this run");
  report.paired = comparison.pairs != nullptr;
  report.pairs_planned = comparison.pairs_planned;
  if (comparison.pairs != nullptr) report.differences = side_differences(*comparison.pairs);
  return report;
}

// The nearest stored run decides what is measured, and may lack a group that older ones made claims of.
std::vector<reports::ClaimFinding> claims_since(const Comparison& comparison, const SideEvidence& current,
                                                const policy::Judging& policy) {
  std::vector<SideEvidence> stored;
  for (const record::Run* const run : comparison.baseline) stored.emplace_back(*run, 0);
  return claim_findings(current, policy, stored);
}

reports::Report report_since(const Comparison& comparison, const policy::Judging& policy) {
  Assessment assessment{with_headers(comparison, policy),
                        {},
                        {{comparison.notes.begin(), comparison.notes.end()}, comparison.doubts},
                        {}};
  policy::CasePolicies policies(policy);
  const auto finish = [&] {
    reports::Report report = report_of(std::move(assessment), policies, policy);
    if (long_ago(comparison))
      report.headline = facts::since_pin(reports::since_words(*comparison.pin), report.headline);
    return report;
  };
  if (const auto why = refused_because(comparison)) {
    assessment.report.headline = *why;
    return finish();
  }
  remark_on_runs(comparison, policy, assessment.remarks);
  const SideEvidence pinned(*comparison.baseline.front(), 0);
  const SideEvidence current(*comparison.current, 0);
  std::optional<PairSides> sides;
  if (comparison.pairs != nullptr) sides.emplace(*comparison.pairs);
  SinceCases found = find_cases(comparison, pinned, current, comparison.from_start ? &sides->before : nullptr,
                                !long_ago(comparison) && is_partial_missing(policy));
  assessment.remarks.notes.push_back(what_was_found(comparison, found));
  mention_not_planned(found, comparison, assessment.report, assessment.remarks);
  assessment.incomplete = incomplete_because(*comparison.current);
  const facts::Fact uncompared = sides ? judge_pairs(comparison, *sides, found, policies, policy, assessment.remarks)
                                       : leave_unmeasured_open(comparison, found);
  if (assessment.incomplete.empty() && sides) assessment.incomplete = groups_without_pairs(comparison.pairs->plan);
  if (assessment.incomplete.empty()) assessment.incomplete = uncompared;
  assessment.cases = std::move(found.settled);
  if (comparison.from_start)
    judge_counted(comparison, *sides, found.same, policies, policy, assessment.cases, assessment.remarks);
  LastStages stages{&pinned, &current};
  stages.budgets = !long_ago(comparison);  // whatever the baseline has, a gate asks a change for its claims and budgets
  if (stages.budgets) assessment.report.claims = claims_since(comparison, current, policy);
  if (stages.budgets) stages.this_side = unfit_because({{comparison.current, "this run"}}, policy);
  if (sides) {
    stages.times = unfit_because({{comparison.pairs, "the pairs"}}, policy);
    stages.counts = {counts_of_pairs(*comparison.pairs)};
  }
  assessment.report.unfit = stages.times.has_value();
  last_stages(assessment, stages, policies, policy);
  return finish();
}

}  // namespace

base::Result<PairCases> cases_since(const Comparison& comparison) {
  if (auto checked = check_runs(comparison.baseline, *comparison.current); !checked) return checked.error();
  PairCases cases;
  if (refused_because(comparison)) return cases;
  const SideEvidence pinned(*comparison.baseline.front(), 0);
  const SideEvidence current(*comparison.current, 0);
  for (const record::Case* each : find_cases(comparison, pinned, current, nullptr, false).to_measure)
    cases.open.push_back(each->name);
  return cases;
}

base::Result<reports::Report> judge_since(const Comparison& comparison, const policy::Judging& policy) {
  if (auto checked = check_runs(comparison.baseline, *comparison.current); !checked) return checked.error();
  const auto converted = comparison.pairs == nullptr ? std::nullopt : pairs_in_real_time(*comparison.pairs);
  if (!converted) return report_since(comparison, policy);
  Comparison in_one_clock = comparison;
  in_one_clock.pairs = &*converted;
  return report_since(in_one_clock, policy);
}

}  // namespace torchgate::gate
