// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/waive.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <vector>

#include "ci/policy/nearest_name.hpp"
#include "harness/record/short_commit.hpp"
#include "reports/facts/about_settings.hpp"

namespace torchgate::gate {
namespace {

using reports::GateAction;
using reports::Verdict;

constexpr double rounding = 1e-9;  // of 1.12 - 1: no change is measured to that

bool has_no_number(Verdict verdict) {
  return verdict == Verdict::missing || verdict == Verdict::not_comparable;
}

bool has_no_number(const Judged& judged) {
  return has_no_number(judged.decision.verdict) || is_lost_count(judged);
}

// A waiver is about a change against the baseline: a case above its budget needs another budget. One with a ceiling accepts a number, one
// without accepts that there is none.
bool can_be_waived(const Judged& judged, const policy::Waiver& waiver) {
  const Verdict verdict = judged.decision.verdict;
  if (judged.over_budget) return false;
  if (waiver.missing) return has_no_number(judged);
  return verdict == Verdict::regressed || verdict == Verdict::suspected || verdict == Verdict::changed;
}

// Of another metric than the one that was judged: of the time that instructions decide for.
bool is_of_time(const Judged& judged, const policy::Waiver& waiver) {
  return judged.metric.name != waiver.metric;
}

bool is_exact(const Judged& judged) {
  return judged.metric.kind == record::MetricKind::exact;
}

bool is_count_of(const Judged& judged, const policy::Waiver& waiver) {
  return is_exact(judged) && !is_of_time(judged, waiver);
}

bool is_larger_better(const Judged& judged) {
  return judged.metric.direction == record::Direction::higher_is_better;
}

// The number that is compared with the ceiling (the header says why). The ceiling of a time is a share, also where instructions decide instead of it.
double accepted_number(const Judged& judged, const policy::Waiver& waiver) {
  if (is_of_time(judged, waiver)) return worse_ratio(judged) - 1;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (is_exact(judged)) {
    if (!judged.counts) return 0;
    return judged.counts->after.value_or(is_larger_better(judged) ? -infinity : infinity);  // no ceiling covers it
  }
  // Of numbers that may be 0 worse_ratio() has a share of the largest one, and the ceiling is one of the number before.
  if (judged.in_units && judged.in_units->worse <= 0) return 0;
  if (judged.in_units)
    return judged.decision.change ? worse_ratio(*judged.decision.change, judged.metric) - 1 : infinity;
  const bool of_near_end = judged.decision.verdict == Verdict::suspected || waiver.one_commit;
  if (!of_near_end || !judged.decision.interval) return worse_ratio(judged) - 1;
  const reports::Interval& interval = *judged.decision.interval;
  return worse_ratio(is_larger_better(judged) ? interval.high : interval.low, judged.metric) - 1;
}

// The near end of a suspect's interval is covered, and its change is not: pairs were not measured.
bool may_exceed(const Judged& judged, const policy::Waiver& waiver) {
  const bool has_share = !waiver.missing && !is_exact(judged) && !judged.in_units;
  return has_share && judged.decision.verdict == Verdict::suspected &&
         worse_ratio(judged) - 1 > waiver.ceiling + rounding;
}

bool is_covered(const Judged& judged, const policy::Waiver& waiver) {
  if (waiver.missing) return true;
  const double number = accepted_number(judged, waiver);
  if (!is_count_of(judged, waiver)) return number <= waiver.ceiling + rounding;
  return is_larger_better(judged) ? number >= waiver.ceiling : number <= waiver.ceiling;
}

facts::Fact ceiling_of(const Judged& judged, const policy::Waiver& waiver) {
  if (!is_count_of(judged, waiver) && is_larger_better(judged))
    return facts::ceiling_of_fall(
        {reports::worse_change(waiver.ceiling, judged.metric), judged.decision.change.value_or(0)});
  if (!is_count_of(judged, waiver)) return facts::ceiling_of(waiver.ceiling);
  return (is_larger_better(judged) ? facts::lowest_count : facts::count_of)({waiver.ceiling, judged.metric.unit});
}

facts::Fact change_of(const Judged& judged, const policy::Waiver& waiver) {
  if (is_count_of(judged, waiver) && judged.counts && !judged.counts->after) return facts::no_count();
  if (is_count_of(judged, waiver)) return facts::count_of({accepted_number(judged, waiver), judged.metric.unit});
  if (judged.in_units && !judged.decision.change) return facts::no_relative_change();
  return (is_exact(judged) ? facts::change_of_instructions : facts::change_of)(
      {judged.decision.change.value_or(0), reports::worse_change(waiver.ceiling, judged.metric)});
}

class Waiving {
 public:
  Waiving(std::vector<Judged>& cases, Remarks& remarks, const SideEvidence& before, const SideEvidence& after,
          const policy::Judging& policy)
      : before_(before), after_(after), remarks_(remarks), of_gate_(policy.of_gate), today_(*policy.today) {
    for (Judged& judged : cases) of_case_[judged.case_name()].push_back(&judged);
  }

  void apply(const policy::Waiver& waiver) {
    Judged* judged = find(waiver);
    bool matters = may_waive(waiver, judged);
    Judged* const counted = find_counted(waiver);
    if (is_in_baseline(waiver, may_waive(waiver, counted) ? counted : judged)) {
      in_baseline(waiver, matters ? judged : nullptr);
      if (may_waive(waiver, counted)) add_reason(*counted, ReasonKind::waiver, reason_in_baseline(waiver));
      return;
    }
    if (may_waive(waiver, counted)) {
      if (matters && today_ <= waiver.expires && is_covered(*judged, waiver)) waive(waiver, *judged);
      judged = counted;
      matters = true;
    }
    if (today_ > waiver.expires) {
      expired(waiver, matters ? judged : nullptr);
    } else if (matters) {
      is_covered(*judged, waiver) ? waive(waiver, *judged) : exceed(waiver, *judged);
    } else if (judged != nullptr && judged->over_budget) {
      add_reason(*judged, ReasonKind::waiver, facts::waiver_of_case_over_budget());
      note(facts::waiver_over_budget(waiver.case_name, waiver.metric, waiver.place));
    } else if (!refuse(waiver)) {
      mention_unused(waiver, judged);
    }
  }

 private:
  const std::vector<Judged*>& judged_of(const std::string& case_name) { return of_case_[case_name]; }

  Judged* find(const policy::Waiver& waiver) {
    for (Judged* judged : judged_of(waiver.case_name)) {
      if (judged->metric.name == waiver.metric) return judged;
    }
    return nullptr;
  }

  static bool may_waive(const policy::Waiver& waiver, const Judged* judged) {
    return judged != nullptr && can_be_waived(*judged, waiver) &&
           (judged->action == GateAction::fail || judged->action == GateAction::warn);
  }

  // The instructions that decide a case in the place of its time, where the waiver is of that time.
  Judged* find_counted(const policy::Waiver& waiver) {
    for (Judged* judged : judged_of(waiver.case_name)) {
      const record::Metric* const primary = primary_metric(*judged->definition);
      if (decided_by_count(*judged) && primary != nullptr && primary->name == waiver.metric) return judged;
    }
    return nullptr;
  }

  void note(facts::Fact fact) { remarks_.notes.push_back(std::move(fact)); }

  void waive(const policy::Waiver& waiver, Judged& judged) {
    judged.action = GateAction::pass;
    judged.waived = true;
    judged.forbids_pass = false;
    const facts::Fact why = facts::waiver_reason(waiver.reason, policy::date_text(waiver.expires), accepted_by(waiver));
    add_reason(judged, ReasonKind::waiver, facts::waived(why));
    if (waiver.elsewhere) {
      remarks_.doubts.emplace_back(facts::waiver_of_another_change(waiver.case_name, waiver.metric,
                                                                   record::short_commit(*waiver.commit), waiver.place),
                                   reports::DoubtKind::policy);
    }
    if (may_exceed(judged, waiver)) {
      remarks_.doubts.emplace_back(
          facts::waiver_may_be_exceeded(waiver.case_name, waiver.metric, change_of(judged, waiver),
                                        ceiling_of(judged, waiver), waiver.place),
          reports::DoubtKind::policy);
    }
    if (is_lost_count(judged)) return note(facts::waived_lost_count(waiver.case_name, waiver.metric, why));
    note(waiver.missing ? facts::waived_state(waiver.case_name, waiver.metric, judged.decision.verdict, why)
                        : facts::waived_change(waiver.case_name, waiver.metric, change_of(judged, waiver),
                                               ceiling_of(judged, waiver), why));
  }

  // In a merge group it was accepted for the commit that the group merges, and a file of another commit may be named by mistake.
  [[nodiscard]] facts::Facts accepted_by(const policy::Waiver& waiver) const {
    if (!waiver.one_commit) return {};
    const auto& measured = after_.run().sides.back().source.commit;
    if (!waiver.commit || (measured && policy::is_commit_of(waiver, *measured)))
      return {waiver.by ? facts::accepted_by(*waiver.by) : facts::accepted_for_commit()};
    const std::string commit = record::short_commit(*waiver.commit);
    return {waiver.by ? facts::accepted_for_other_commit_by(commit, *waiver.by)
                      : facts::accepted_for_other_commit(commit)};
  }

  void exceed(const policy::Waiver& waiver, Judged& judged) {
    const facts::Fact ceiling = ceiling_of(judged, waiver);
    add_reason(judged, ReasonKind::waiver, facts::beyond_waiver(ceiling));
    note(facts::waiver_exceeded(waiver.case_name, waiver.metric, change_of(judged, waiver), ceiling, waiver.place));
  }

  void expired(const policy::Waiver& waiver, Judged* judged) {
    const std::string date = policy::date_text(waiver.expires);
    if (judged != nullptr) add_reason(*judged, ReasonKind::waiver, facts::waiver_of_case_expired(date));
    note(facts::waiver_expired(waiver.case_name, waiver.metric, date, waiver.place));
  }

  // The baseline is as slow already: a slow-down against it is another one. The newest stored run says that only of numbers that are its own.
  [[nodiscard]] bool is_in_baseline(const policy::Waiver& waiver, const Judged* judged) const {
    const record::Run& nearest = before_.run();
    const record::Run& run = judged != nullptr && judged->numbers_of != nullptr ? *judged->numbers_of : nearest;
    const auto& commit = run.sides.front().source.commit;
    if (commit && policy::is_commit_of(waiver, *commit)) return true;
    if (&run == &nearest) return waiver.in_baseline;
    return commit && std::find(waiver.in_older.begin(), waiver.in_older.end(), *commit) != waiver.in_older.end();
  }

  static facts::Fact reason_in_baseline(const policy::Waiver& waiver) {
    return facts::waiver_of_case_in_baseline(record::short_commit(*waiver.commit));
  }

  void in_baseline(const policy::Waiver& waiver, Judged* judged) {
    if (judged != nullptr) add_reason(*judged, ReasonKind::waiver, reason_in_baseline(waiver));
    if (!of_gate_) return;
    note(
        facts::waiver_in_baseline(waiver.case_name, waiver.metric, record::short_commit(*waiver.commit), waiver.place));
  }

  // A crash has no number that a ceiling could hold.
  bool refuse(const policy::Waiver& waiver) {
    for (Judged* judged : judged_of(waiver.case_name)) {
      const bool has_none = has_no_number(judged->decision.verdict);
      if (judged->decision.verdict != Verdict::failed && judged->decision.verdict != Verdict::wrong &&
          (!has_none || waiver.missing))
        continue;
      const auto& sentence = has_none ? facts::waiver_needs_number : facts::never_waived;
      add_reason(*judged, ReasonKind::waiver, sentence(waiver.metric, judged->decision.verdict));
      return true;
    }
    return false;
  }

  void mention_unused(const policy::Waiver& waiver, const Judged* judged) {
    const auto why = unused_because(waiver, judged);
    const auto& sentence = of_gate_ ? facts::waiver_unused : facts::waiver_without_effect;
    if (why) note(sentence(waiver.case_name, waiver.metric, *why, waiver.place));
  }

  // Absent where it cannot be known: not measured here, not judged, or not decided. Two other runs than the gate's know only that they do not have
  // what it names.
  std::optional<facts::Fact> unused_because(const policy::Waiver& waiver, const Judged* judged) {
    if (judged != nullptr && !of_gate_) return std::nullopt;
    if (judged != nullptr && waiver.missing && !has_no_number(*judged)) return facts::not_gone;
    if (judged != nullptr) {
      // A change that is listed only, because LibTorch itself differs, says nothing about the next run.
      const bool open = judged->decision.verdict == Verdict::inconclusive ||
                        judged->decision.verdict == Verdict::changed || judged->decision.verdict == Verdict::unchanged;
      return open ? std::nullopt : std::optional(facts::it_passes());
    }
    const CaseEvidence* const was = before_.find(waiver.case_name);
    const CaseEvidence* const is = after_.find(waiver.case_name);
    if (was == nullptr && is == nullptr) return no_such_case(waiver.case_name);
    if (was == nullptr || is == nullptr || was->measured.empty() || is->measured.empty()) return std::nullopt;
    if (waiver.missing) return of_gate_ ? std::optional<facts::Fact>(facts::not_gone) : std::nullopt;
    std::set<std::string> names;
    for (const record::Metric& metric : is->definition->metrics) {
      names.insert(metric.name);
      if (metric.name != waiver.metric) continue;
      const bool same = of_gate_ && metric.kind == record::MetricKind::exact && exact_value(*was, metric.name) &&
                        exact_value(*is, metric.name);
      return same ? std::optional(facts::count_is_the_same()) : std::nullopt;
    }
    if (waiver.metric.ends_with("_p95") || waiver.metric.ends_with("_p99")) return std::nullopt;  // not judged here
    return facts::no_such_metric(policy::nearest_names(waiver.metric, names, 1).front());
  }

  // Neither side knows the case. Only a run that was asked for all of that suite may say so; a pattern is the name of no case.
  [[nodiscard]] std::optional<facts::Fact> no_such_case(const std::string& name) {
    if (name.ends_with('*')) return facts::waiver_of_pattern;
    const auto& suites = after_.run().plan.suites;
    const auto suite =
        std::find_if(suites.begin(), suites.end(), [&](const std::string& one) { return name.starts_with(one + "/"); });
    if (suite == suites.end()) return std::nullopt;
    record::Case definition;
    definition.name = name;
    definition.suite = *suite;
    if (!after_.planned(definition)) return std::nullopt;
    if (after_.cases().empty()) return std::nullopt;
    // The nearest name takes a look at each case: enough for a typing error or two, too much for a file of old waivers.
    constexpr int most_suggestions = 10;
    if (++suggestions_ > most_suggestions)
      return of_gate_ ? std::optional<facts::Fact>(facts::unknown_case) : std::nullopt;
    std::set<std::string> names;
    for (const auto& [known, evidence] : after_.cases()) names.insert(std::string(known));
    return facts::unknown_case_near(policy::nearest_names(name, names, 1).front());
  }

  const SideEvidence& before_;
  const SideEvidence& after_;
  Remarks& remarks_;
  std::map<std::string, std::vector<Judged*>> of_case_;
  bool of_gate_;
  int suggestions_ = 0;
  std::chrono::year_month_day today_;
};

}  // namespace

void apply_waivers(std::vector<Judged>& cases, const SideEvidence& before, const SideEvidence& after,
                   const policy::Judging& policy, Remarks& remarks) {
  if (policy.waivers.empty()) return;
  if (!policy.today) {
    remarks.doubts.emplace_back(facts::no_date(), reports::DoubtKind::policy);
    return;
  }
  Waiving waiving(cases, remarks, before, after, policy);
  for (const policy::Waiver& waiver : policy.waivers)
    if (policy::is_for(waiver, policy.waivers, policy.pin)) waiving.apply(waiver);
}

}  // namespace torchgate::gate
