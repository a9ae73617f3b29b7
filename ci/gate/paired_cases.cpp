// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/paired_cases.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

#include "ci/gate/answer.hpp"
#include "ci/gate/collect.hpp"
#include "ci/gate/evidence/case_state.hpp"
#include "ci/gate/evidence/in_units.hpp"
#include "ci/gate/evidence/libtorch.hpp"
#include "ci/gate/evidence/metric_state.hpp"
#include "ci/gate/evidence/numbers.hpp"
#include "ci/gate/evidence/renamed_cases.hpp"
#include "ci/gate/evidence/weaker_checks.hpp"
#include "ci/gate/evidence/work.hpp"
#include "ci/gate/exact_metrics.hpp"
#include "ci/gate/own_settings.hpp"
#include "ci/gate/pairs/confirmation.hpp"
#include "ci/gate/pairs/pair_plan.hpp"
#include "ci/gate/pairs/pair_state.hpp"
#include "ci/gate/pairs/same_objects.hpp"
#include "ci/gate/pairs/tails.hpp"
#include "reports/facts/about_counts.hpp"
#include "reports/facts/about_inputs.hpp"
#include "reports/facts/about_pairs.hpp"
#include "reports/facts/about_states.hpp"
#include "stats/rules.hpp"

namespace torchgate::gate {
namespace {

// By a rule that looks at each side by itself.
stats::RuleAnswer judge_sides(const Judged& judged, const policy::Gate& own) {
  TimedEvidence before = timed_evidence(*judged.before, judged.metric);
  TimedEvidence after = timed_evidence(*judged.after, judged.metric);
  judge_in_units(before, after);
  const std::vector<std::vector<double>> stored{before.worse_logs};
  stats::CaseNumbers one;
  one.baseline = stored;
  one.current = after.worse_logs;
  one.before_samples = before.samples;
  one.after_samples = after.samples;
  one.better = better_of(judged.metric);
  return stats::find_rule(own.rule)->judge(std::span(&one, 1), rule_options(own)).front();
}

class PairedCases {
 public:
  PairedCases(const SideEvidence& before, const SideEvidence& after, policy::CasePolicies& policies,
              const policy::CaseGates& policy)
      : before_(before),
        after_(after),
        policies_(policies),
        times_(judges_time(policy)),
        other_libtorch_(libtorch_differs(after.run(), 0, after.run(), 1)),
        plans_(after.run(), policy),
        states_(after.run()) {}

  [[nodiscard]] std::vector<std::string> uncounted() && { return std::move(uncounted_); }
  [[nodiscard]] const std::vector<std::string>& worse_unjudged_metrics() const { return worse_unjudged_; }
  [[nodiscard]] const std::vector<std::string>& weaker_checks() const { return weaker_checks_; }
  /// Empty: there are none.
  [[nodiscard]] facts::Fact slower_rare_calls() const {
    const auto worst = std::max_element(rare_.begin(), rare_.end());
    return worst == rare_.end() ? facts::Fact() : facts::rare_calls_slower(rare_.size(), worst->second, worst->first);
  }

  std::vector<Judged> judge() {
    for (const auto& [name, evidence] : after_.cases()) judge_case(before_.find(name), evidence);
    const Suspects suspects{screened_.size(), policies_};
    for (const auto& [place, answer] : screened_)
      leave_unconfirmed(cases_[place], answer,
                        facts::rule_judges_no_pairs(policies_.of(cases_[place].case_name()).rule), suspects);
    join_renamed(cases_, vanished_, appeared_);
    return std::move(cases_);
  }

 private:
  void judge_case(const CaseEvidence* before, const CaseEvidence& after) {
    if (auto state = case_state(before, after, &before_, after_)) {
      remember_one_sided(before, after, state->decision.verdict);
      cases_.push_back(*std::move(state));
      return;
    }
    if (before == nullptr) return;
    if (const auto& different = after.definition->sides_differ) {
      cases_.push_back(
          judged_state(*after.definition, reports::Verdict::not_comparable, facts::not_comparable(*different)));
      return;
    }
    const record::Metric* metric = primary_metric(*after.definition);
    const auto lost = metric == nullptr ? std::nullopt : states_.of(*before, after);
    if (lost) {
      cases_.push_back(judged_pair_state(*after.definition, *metric, *lost));
      return;
    }
    const policy::Gate& own = policies_.of(after.definition->name);
    if (times_ && metric != nullptr) judge_times(*before, after, *metric, own);
    auto counts = counted_metrics(*before, after, own, other_libtorch_);
    if (counts.empty() && !times_) uncounted_.push_back(after.definition->name);
    append(std::move(counts));
    if (auto weaker = weaker_check(*before, after)) weaker_checks_.push_back(*std::move(weaker));
  }

  // Both sides share a list of cases: what a program does not have, no process of its side reported.
  void remember_one_sided(const CaseEvidence* before, const CaseEvidence& after, reports::Verdict verdict) {
    const bool nothing_before = before == nullptr || before->measured.empty();
    if (verdict == reports::Verdict::missing && after.measured.empty() && after.lost.empty() && !nothing_before)
      vanished_.push_back(cases_.size());
    if (verdict == reports::Verdict::new_case && nothing_before) appeared_.push_back(cases_.size());
  }

  void judge_times(const CaseEvidence& before, const CaseEvidence& after, const record::Metric& primary,
                   const policy::Gate& own) {
    const std::size_t first = cases_.size();
    std::vector<const record::Metric*> metrics = judged_metrics(*after.definition, own);
    for (const record::Metric* rate : judged_rates(before, after, own)) metrics.push_back(rate);
    const auto work = other_work(before, after);
    for (const record::Metric* metric : metrics) {
      if (auto state = metric_state(before, after, *metric)) {
        cases_.push_back(*std::move(state));
        continue;
      }
      ProcessValues before_values = process_values(before, *metric);
      ProcessValues after_values = process_values(after, *metric);
      // A primary metric without numbers is said; another one that a side does not measure is not judged.
      const bool measured = !before_values.medians.empty() && !after_values.medians.empty();
      if (!measured && !metric->primary) continue;
      Judged judged = compared(before, after, *metric, before_values, after_values);
      if (work) add_reason(judged, ReasonKind::work, *work);
      judged.in_units = judge_in_units(before_values, after_values);
      std::optional<stats::RuleAnswer> screened;
      if (all_zero(before_values, after_values))
        settle_equal(judged);
      else
        screened = judge_metric(judged, before_values, after_values, own);
      if (screened && judged.decision.verdict == reports::Verdict::suspected)
        screened_.emplace_back(cases_.size(), *screened);
      cases_.push_back(std::move(judged));
    }
    std::ranges::move(worse_unjudged(before, after, own, metrics), std::back_inserter(worse_unjudged_));
    look_for_rare_calls(first, before, after, primary, own);
    append(judged_tails(before, after, primary, plans_.of(after.definition->name), own));
  }

  // FIRST: the place of what was judged of the case. A median that regressed fails by itself, and pairs of the same files show no change of the code.
  void look_for_rare_calls(std::size_t first, const CaseEvidence& before, const CaseEvidence& after,
                           const record::Metric& primary, const policy::Gate& own) {
    const std::string& name = after.definition->name;
    const auto regressed = [](const Judged& judged) { return judged.decision.verdict == reports::Verdict::regressed; };
    if (std::any_of(cases_.begin() + static_cast<std::ptrdiff_t>(first), cases_.end(), regressed) ||
        same_objects_ran(after_.run(), after.definition->group))
      return;
    const auto ratio = slower_mean(before, after, primary, plans_.of(name), own);
    if (ratio) rare_.emplace_back(*ratio, name);
  }

  // Returns the answer of a rule that judges no pairs.
  std::optional<stats::RuleAnswer> judge_metric(Judged& judged, const ProcessValues& before_values,
                                                const ProcessValues& after_values, const policy::Gate& own) {
    const CaseEvidence& before = *judged.before;
    const CaseEvidence& after = *judged.after;
    add_reasons(judged, ReasonKind::measured, loss_reasons(before, "before"));
    add_reasons(judged, ReasonKind::measured, loss_reasons(after, "after"));
    const PairValues values = pair_values(before_values, after_values);
    judged.pairs = std::make_unique<stats::RuleAnswer>(
        judge_case_pairs(values, plan_of_case(plans_.of(judged.case_name()), before, after, values.size()), own));
    const bool by_pairs = stats::find_rule(own.rule)->judges_pairs;
    const stats::RuleAnswer answer = by_pairs ? *judged.pairs : judge_sides(judged, own);
    if (!answer.effect) {
      judged.decision.change =
          change_between(process_values(before, judged.metric), process_values(after, judged.metric), judged.metric);
    }
    if (!by_pairs) {
      decide(judged, answer);
      return answer;
    }
    decide_by_pairs(judged, answer, values, own);
    if (judged.metric.primary) add_why(judged, before, after);
    return std::nullopt;
  }

  void append(std::vector<Judged> more) { std::move(more.begin(), more.end(), std::back_inserter(cases_)); }

  const SideEvidence& before_;
  const SideEvidence& after_;
  policy::CasePolicies& policies_;
  bool times_;
  bool other_libtorch_;
  PairPlans plans_;
  PairStates states_;
  std::vector<Judged> cases_;
  std::vector<std::pair<std::size_t, stats::RuleAnswer>> screened_;  // suspects, by their places in it
  std::vector<std::size_t> vanished_;                                // places in it: measured before only
  std::vector<std::size_t> appeared_;                                // measured after only
  std::vector<std::string> uncounted_;
  std::vector<std::string> worse_unjudged_;
  std::vector<std::string> weaker_checks_;
  std::vector<std::pair<double, std::string>> rare_;  // ratio of the means, case
};

}  // namespace

std::vector<Judged> judge_paired_cases(const SideEvidence& before, const SideEvidence& after,
                                       policy::CasePolicies& policies, const policy::CaseGates& policy,
                                       Remarks& remarks) {
  PairedCases paired(before, after, policies, policy);
  std::vector<Judged> cases = paired.judge();
  if (facts::Fact rare = paired.slower_rare_calls(); !rare.empty()) remarks.doubts.emplace_back(std::move(rare));
  if (!paired.worse_unjudged_metrics().empty())
    remarks.notes.push_back(facts::worse_unjudged(paired.worse_unjudged_metrics()));
  if (!paired.weaker_checks().empty())
    remarks.doubts.emplace_back(facts::weaker_checks(paired.weaker_checks()), reports::DoubtKind::policy);
  remarks.uncounted = std::move(paired).uncounted();
  return cases;
}

}  // namespace torchgate::gate
