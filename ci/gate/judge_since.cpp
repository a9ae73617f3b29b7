// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/judge_since.hpp"

#include <fmt/format.h>

#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "ci/gate/action.hpp"
#include "ci/gate/budgets.hpp"
#include "ci/gate/claim_findings.hpp"
#include "ci/gate/evidence/case_state.hpp"
#include "ci/gate/evidence/fitness.hpp"
#include "ci/gate/evidence/headers.hpp"
#include "ci/gate/evidence/incomplete.hpp"
#include "ci/gate/evidence/machines.hpp"
#include "ci/gate/evidence/renamed_cases.hpp"
#include "ci/gate/evidence/unchanged_groups.hpp"
#include "ci/gate/evidence/vary.hpp"
#include "ci/gate/instructions/judge_instructions.hpp"
#include "ci/gate/instructions/open_counts.hpp"
#include "ci/gate/outcome.hpp"
#include "ci/gate/own_settings.hpp"
#include "ci/gate/paired_cases.hpp"
#include "ci/gate/pairs/layout.hpp"
#include "ci/gate/pairs/pair_count.hpp"
#include "ci/gate/pairs/pair_inputs.hpp"
#include "ci/gate/pairs/same_objects.hpp"
#include "ci/gate/pairs/spent_budget.hpp"
#include "ci/gate/pairs/uncompared.hpp"
#include "ci/gate/pairs/without_turns.hpp"
#include "ci/gate/settle_policy.hpp"
#include "harness/base/counted.hpp"

namespace torchgate::gate {
namespace {

using reports::Verdict;

// What the two stored runs say: which cases pairs have to compare, and what needs none.
struct SinceCases {
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
bool long_ago(const SinceComparison& comparison) {
  return comparison.pin.has_value();
}

std::string before_words(const SinceComparison& comparison) {
  return long_ago(comparison) ? "the pin" : "the baseline";
}

// Of a case that one of the commits does not measure, or not in the same way: listed. The gate of the commit that removed it has judged that.
Judged listed(Judged state, const CaseEvidence* before, const CaseEvidence* after, bool since_pin, SinceCases& found) {
  const Verdict verdict = state.decision.verdict;
  if (verdict == Verdict::missing && !since_pin) {
    ++found.gone;
  } else if (verdict == Verdict::missing) {
    ++found.gone;
    if (after == nullptr)
      replace_decision(state, verdict, ReasonKind::state, "measured at the pin, and no longer in this run");
    state.action_rule = ActionRule::listed;
  } else if (verdict == Verdict::not_comparable) {
    // What differs may be as old as the pin: no change is to blame, and nothing is known of its speed.
    ++found.not_comparable;
    state.action_rule = ActionRule::no_numbers_before;
  } else if (verdict == Verdict::new_case) {
    ++found.added;
    if (before == nullptr && since_pin) replace_decision(state, verdict, ReasonKind::state, "not measured at the pin");
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
    return after == nullptr ? stored_.find(name) : nullptr;
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

using SameGroups = std::map<std::string, std::string, std::less<>>;

// Each with the reason of `unchanged`.
SameGroups groups_without_a_change(const SinceComparison& comparison) {
  if (comparison.judge_unchanged) return {};
  if (!comparison.from_start) return same_groups(*comparison.pinned, *comparison.current);
  SameGroups same;
  for (const record::Group& group : comparison.pairs->groups) {
    if (identical_in_pairs(*comparison.pairs, group.name))
      same.emplace(group.name, "executable, libraries and files read are byte-identical on both sides of the pairs");
  }
  return same;
}

SinceCases find_cases(const SinceComparison& comparison, const SideEvidence& pinned, const SideEvidence& current,
                      const SideEvidence* measured_before, bool partial_missing) {
  SinceCases found;
  const AbsentRules absent{pinned.run().plan.profile == current.run().plan.profile, partial_missing};
  const UnchangedGroups left_out(pinned.run(), current.run());
  const SameGroups same = groups_without_a_change(comparison);
  const BeforeEvidence baseline(pinned, measured_before);
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
      state = case_state(before, *after, current);
    } else if (!state && before != nullptr && !before->measured.empty()) {
      state = absent_state(*before, current, absent);
    }
    if (!state && before != nullptr && after != nullptr) {
      if (const auto group = same.find(definition->group); group != same.end())
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

std::string found_sentence(const SinceComparison& comparison, const SinceCases& found) {
  const std::string since = long_ago(comparison) ? "changes are those since " + reports::since_words(*comparison.pin)
                                                 : "no times of the baseline are compared";
  std::string text = fmt::format("{}, run {}: {} {} in interleaved pairs", since, comparison.pinned->id,
                                 base::counted(found.to_measure.size(), "case", "cases"),
                                 comparison.pairs == nullptr ? "to compare" : "compared");
  if (found.unchanged > 0) text += fmt::format(", {} byte-identical", found.unchanged);
  if (found.gone > 0) text += fmt::format(", {} no longer measured", found.gone);
  if (found.added > 0) text += fmt::format(", {} not measured then", found.added);
  if (found.not_comparable > 0) text += fmt::format(", {} not comparable", found.not_comparable);
  return text;
}

// Without a word, a filter would pass what it hides.
void mention_not_planned(const SinceCases& found, const SinceComparison& comparison, reports::Report& report,
                         Remarks& remarks) {
  report.cases_not_planned = found.not_planned;
  if (found.not_planned == 0) return;
  remarks.notes.push_back(not_planned_sentence(found.not_planned, comparison.current->plan, before_words(comparison)));
}

// The pinned binary with today's files says nothing about the files. What git knows is not asked: over many commits some file always changed.
void leave_other_inputs_open(const SinceComparison& comparison, std::vector<Judged>& paired) {
  const ChangedData not_asked = std::vector<std::string>();
  const PairInputs inputs(*comparison.pinned, *comparison.current, *comparison.pairs, not_asked);
  for (Judged& judged : paired) {
    const Verdict verdict = judged.decision.verdict;
    if (judged.pairs == nullptr || (verdict != Verdict::equivalent && verdict != Verdict::improved)) continue;
    if (const auto& uncompared = inputs.of_group(judged.definition->group))
      replace_decision(judged, Verdict::inconclusive, ReasonKind::undecided_pairs, uncompared->because);
  }
}

// Pairs from the start are of all cases: also of those that need none to be judged, and of those that only the before side lists and
// the baseline did not measure.
void leave_out_settled(const SinceCases& found, std::vector<Judged>& paired) {
  std::set<std::string_view> asked;
  for (const record::Case* definition : found.to_measure) asked.insert(definition->name);
  for (const std::string_view counted : found.counted_only) asked.insert(counted);
  std::erase_if(paired, [&](const Judged& judged) { return !asked.contains(judged.case_name()); });
}

// Why the report is incomplete; empty: the pairs compared every case that they were measured for.
std::string judge_pairs(const SinceComparison& comparison, const PairSides& sides, SinceCases& found,
                        policy::CasePolicies& policies, const policy::Policy& policy, Remarks& remarks) {
  std::vector<Judged> paired = judge_paired_cases(sides.before, sides.after, policies, policy, remarks);
  if (comparison.from_start) leave_out_settled(found, paired);
  guard_spent_budget(paired, *comparison.pairs, policy, remarks);
  const std::string incomplete = leave_uncompared_open(paired, found.to_measure, sides.before);
  mention_pair_count(paired, *comparison.pairs, policy, remarks);
  mention_without_turns(paired, remarks);
  guard_same_objects(paired, *comparison.pairs, policy, remarks);
  leave_other_inputs_open(comparison, paired);
  guard_layout(paired, *comparison.pairs, policy);
  const std::string since =
      long_ago(comparison) ? "change since " + reports::since_words(*comparison.pin) + "; " : std::string();
  const std::string verified = comparison.from_start
                                   ? "the pairs ran the baseline's recorded binaries (verified by hash)"
                                   : "the pairs ran the recorded binaries of both sides (verified by hash)";
  const std::string ran = comparison.rebuilt.empty() ? verified : comparison.rebuilt;
  for (Judged& judged : paired) {
    if (judged.before != nullptr) add_reason(judged, ReasonKind::provenance, since + ran);
    // The gate of the commit that changed a count has judged it. Memory creeps as times do.
    if (long_ago(comparison) && judged.action_rule == ActionRule::counted &&
        !memory_grew(judged, policies.of(judged.case_name())))
      judged.action_rule = ActionRule::listed;
  }
  std::move(paired.begin(), paired.end(), std::back_inserter(found.settled));
  return incomplete;
}

// What a gate asks of a change whatever the baseline has: claims and budgets.
void judge_this_side(const SinceComparison& comparison, const SideEvidence& current, policy::CasePolicies& policies,
                     const policy::Policy& policy, reports::Report& report, std::vector<Judged>& cases,
                     Remarks& remarks) {
  report.claims = claim_findings(current, policy);
  const auto unfit = unfit_because({{comparison.current, "this run"}}, policy);
  if (unfit) distrust_claims(report.claims, *unfit);
  judge_budgets(cases, current, policies, policy, !unfit, remarks);
}

// Instructions that were asked for (--instructions), of both sides of the pairs.
void judge_counted(const SinceComparison& comparison, const PairSides& sides, policy::CasePolicies& policies,
                   const policy::Policy& policy, std::vector<Judged>& cases, Remarks& remarks) {
  CountedSides counted{{comparison.pairs, 0}, {comparison.pairs, 1}, &sides.before, &sides.after};
  const SameGroups same = groups_without_a_change(comparison);
  counted.leaves_out = [&](const std::string& group) { return same.contains(group); };
  judge_instructions(counted, policies, policy, cases, remarks);
}

std::string why_unmeasured(const SinceComparison& comparison) {
  return "no interleaved pairs: " +
         (comparison.unmeasured_because.empty() ? "they were not requested" : comparison.unmeasured_because);
}

// A pin is compared on the machine that measured it: its list of cases and its binaries are of that kind of machine. A baseline of another
// machine is taken only where there is no other.
std::optional<std::string> refused_because(const SinceComparison& comparison) {
  if (!long_ago(comparison)) return std::nullopt;
  return refuse_comparison(comparison.pinned->machine, comparison.current->machine);
}

reports::Report with_headers(const SinceComparison& comparison, const policy::Policy& policy) {
  reports::Report report = report_under(policy);
  report.since = comparison.pin;
  report.before = side_header(*comparison.pinned, 0, long_ago(comparison) ? "pin " + comparison.pin->name : "baseline");
  report.after = side_header(*comparison.current, 0, "this run");
  report.paired = comparison.pairs != nullptr;
  report.pairs_planned = comparison.pairs_planned;
  if (comparison.pairs != nullptr) report.differences = side_differences(*comparison.pairs);
  return report;
}

}  // namespace

base::Result<PairCases> cases_since(const SinceComparison& comparison) {
  if (auto checked = check_runs({comparison.pinned}, *comparison.current); !checked) return checked.error();
  PairCases cases;
  if (refused_because(comparison)) return cases;
  const SideEvidence pinned(*comparison.pinned, 0);
  const SideEvidence current(*comparison.current, 0);
  for (const record::Case* each : find_cases(comparison, pinned, current, nullptr, false).to_measure)
    cases.open.push_back(each->name);
  return cases;
}

base::Result<reports::Report> judge_since(const SinceComparison& comparison, const policy::Policy& policy) {
  if (auto checked = check_runs({comparison.pinned}, *comparison.current); !checked) return checked.error();
  reports::Report report = with_headers(comparison, policy);
  Remarks remarks{comparison.notes, comparison.doubts};
  const auto conclude_since = [&](std::vector<Judged> cases, const std::string& incomplete) {
    conclude(report, std::move(cases), std::move(remarks), incomplete, policy.min_decided);
    if (long_ago(comparison))
      report.headline = "since " + reports::since_words(*comparison.pin) + ": " + report.headline;
    return std::move(report);
  };
  if (const auto why = refused_because(comparison)) {
    report.headline = *why;
    return conclude_since({}, "");
  }
  std::vector<LabelledRun> runs;
  if (!comparison.from_start) runs.emplace_back(comparison.current, "this run");
  if (comparison.pairs != nullptr) runs.emplace_back(comparison.pairs, "the pairs");
  add_machine_findings(remarks, {runs.back()}, policy);
  add_run_doubts(remarks, runs);
  const SideEvidence pinned(*comparison.pinned, 0);
  const SideEvidence current(*comparison.current, 0);
  policy::CasePolicies policies(policy);
  std::optional<PairSides> sides;
  if (comparison.pairs != nullptr) sides.emplace(*comparison.pairs);
  SinceCases found = find_cases(comparison, pinned, current, comparison.from_start ? &sides->before : nullptr,
                                !long_ago(comparison) && is_partial_missing(policy));
  remarks.notes.push_back(found_sentence(comparison, found));
  mention_not_planned(found, comparison, report, remarks);
  std::vector<Judged>& cases = found.settled;
  std::string incomplete = incomplete_because(*comparison.current);
  if (sides) {
    const std::string uncompared = judge_pairs(comparison, *sides, found, policies, policy, remarks);
    if (incomplete.empty()) incomplete = uncompared;
    if (const auto why = unfit_because({{comparison.pairs, "the pairs"}}, policy)) {
      report.unfit = true;
      distrust_times(cases, *why);
    }
    judge_open_counts(cases, {counts_of_pairs(*comparison.pairs)}, policies, policy, remarks);
  } else {
    for (const record::Case* definition : found.to_measure)
      cases.push_back(judged_state(*definition, Verdict::inconclusive, why_unmeasured(comparison)));
    if (incomplete.empty() && !found.to_measure.empty()) incomplete = why_unmeasured(comparison);
  }
  if (!long_ago(comparison)) judge_this_side(comparison, current, policies, policy, report, cases, remarks);
  if (comparison.from_start) judge_counted(comparison, *sides, policies, policy, cases, remarks);
  settle_policy(cases, report.claims, pinned, current, policies, policy, remarks);
  if (!policy.case_rules.empty())
    report.equivalence_ratio = widest_equivalence(cases, policies, report.equivalence_ratio);
  return conclude_since(std::move(cases), incomplete);
}

}  // namespace torchgate::gate
