// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/budgets.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>
#include <utility>

#include "ci/gate/evidence/identity.hpp"
#include "ci/gate/evidence/unchanged_groups.hpp"
#include "reports/facts/about_settings.hpp"
#include "reports/facts/about_states.hpp"
#include "reports/facts/about_tests.hpp"
#include "stats/claim.hpp"

namespace torchgate::gate {
namespace {

using policy::CaseBudget;
using reports::Verdict;

// One budget of one case, with what was measured.
struct Question {
  const CaseEvidence* evidence;
  const record::Metric* metric;
  const CaseBudget* budget;
  std::vector<double> logs;        // of the processes' medians, in the metric's unit
  std::vector<double> limit_logs;  // the limit, as often
  double scale = 0;                // of medians without logarithms: both are shares of it

  [[nodiscard]] double value(double ratio) const {
    return scale > 0 ? budget->limit + scale * std::log(ratio) : budget->limit * ratio;
  }
};

// Medians of 0 or less (a leak in bytes) have no logarithm: they are compared by their differences to the limit.
void take_values(const std::vector<double>& medians, Question& question) {
  const double limit = question.budget->limit;
  const bool logs = std::all_of(medians.begin(), medians.end(), [](double median) { return median > 0; });
  if (!logs) {
    question.scale = limit;
    for (const double median : medians) question.scale = std::max(question.scale, std::abs(median));
  }
  for (const double median : medians) {
    question.logs.push_back(logs ? std::log(median) : median / question.scale);
    question.limit_logs.push_back(logs ? std::log(limit) : limit / question.scale);
  }
}

// Why a budget cannot be applied to the metric; absent if it can.
std::optional<facts::Fact> misfit(const record::Metric* metric, const std::string& name, const CaseBudget& budget) {
  if (metric == nullptr) return facts::no_metric(name);
  if (metric->direction != record::Direction::lower_is_better) return facts::larger_is_better(name);
  if (budget.unit.empty() || budget.unit == metric->unit) return std::nullopt;
  return metric->unit == "1" ? facts::budget_in_numbers(name, budget.unit)
                             : facts::budget_in_other_unit(name, metric->unit, budget.unit);
}

bool keeps_its_verdict(Verdict verdict) {
  return verdict == Verdict::failed || verdict == Verdict::wrong || verdict == Verdict::missing ||
         verdict == Verdict::not_comparable || verdict == Verdict::regressed;
}

class Budgets {
 public:
  Budgets(std::vector<Judged>& cases, const policy::CaseGates& policy, bool times, Remarks& remarks)
      : cases_(cases), policy_(policy), times_(times), remarks_(remarks) {
    for (std::size_t i = 0; i < cases.size(); ++i)
      places_.emplace(key_of(cases[i].definition->name, cases[i].metric.name), i);
  }

  void ask(const CaseEvidence& evidence, const std::string& name, const CaseBudget& budget) {
    if (evidence.measured.empty()) return;  // its state says why
    const std::string& case_name = evidence.definition->name;
    const record::Metric* const metric = metric_named(*evidence.definition, name);
    auto why = misfit(metric, name, budget);
    if (const auto& ambiguous = evidence.definition->ambiguous) why = facts::ambiguous(*ambiguous);
    if (why) {
      remarks_.doubts.emplace_back(facts::budget_not_applied(case_name, name, budget.text, *std::move(why)),
                                   reports::DoubtKind::policy);
      return;
    }
    Question question{&evidence, metric, &budget, {}, {}};
    if (metric->kind == record::MetricKind::exact) return ask_count(question);
    if (!times_) {
      ++not_judged_;
      return;
    }
    take_values(process_values(evidence, *metric).medians, question);
    timed_.push_back(std::move(question));
  }

  void judge_times() {
    std::vector<stats::ClaimSample> samples;
    for (const Question& each : timed_) samples.push_back({each.limit_logs, each.logs, 1.0});
    stats::ClaimOptions options;
    options.alpha = policy_.alpha;
    const std::vector<stats::ClaimJudgement> answers = stats::judge_claims(samples, options);
    for (std::size_t i = 0; i < timed_.size(); ++i) take(timed_[i], answers[i]);
    if (not_judged_ > 0) remarks_.notes.push_back(facts::budgets_not_judged(not_judged_));
  }

 private:
  static std::string key_of(const std::string& case_name, const std::string& metric) {
    return case_name + '\0' + metric;
  }

  // The judged metric of the case: two findings about one number would contradict each other.
  Judged& judged_metric(const Question& question) {
    const record::Case& definition = *question.evidence->definition;
    const auto [place, added] = places_.emplace(key_of(definition.name, question.metric->name), cases_.size());
    if (!added) return cases_[place->second];
    Judged judged = judged_state(definition, Verdict::over_budget, {});
    judged.metric = *question.metric;
    judged.after_processes = static_cast<std::int64_t>(question.evidence->measured.size());
    cases_.push_back(std::move(judged));
    return cases_.back();
  }

  void mark_over(const Question& question, facts::Fact why, std::optional<double> count) {
    Judged& judged = judged_metric(question);
    judged.over_budget = true;
    add_reason(judged, ReasonKind::budget, std::move(why));
    if (keeps_its_verdict(judged.decision.verdict)) return;
    judged.decision.verdict = Verdict::over_budget;
    judged.action_rule = ActionRule::verdict;
    if (count) {
      if (!judged.counts) judged.count_alone = count;
    } else if (judged.after == nullptr) {
      judged.after = question.evidence;
    }
  }

  // Processes may disagree: a count that is above the limit in each of them is above it.
  void ask_count(const Question& question) {
    const auto counted = count_range(*question.evidence, question.metric->name);
    const CaseBudget& budget = *question.budget;
    if (counted && counted->most <= budget.limit && counted->of_all) return;
    if (!counted || counted->least <= budget.limit) return count_undecided(question, counted);
    const facts::Quantity least{counted->least, question.metric->unit};
    const facts::Quantity most{counted->most, question.metric->unit};
    mark_over(question,
              counted->agrees() ? facts::above_budget(least, budget.text)
                                : facts::counts_above_budget(least, most, budget.text),
              counted->least);
  }

  void count_undecided(const Question& question, const std::optional<CountRange>& counted) {
    facts::Facts measured;
    facts::Facts reasons;
    if (counted && !counted->agrees()) {
      measured.push_back(
          facts::measured_counts({counted->least, question.metric->unit}, {counted->most, question.metric->unit}));
      reasons.emplace_back(facts::count_differs());
    }
    if (!counted || !counted->of_all) reasons.emplace_back(facts::not_in_all_counted());
    remarks_.doubts.emplace_back(
        facts::budget_undecided(question.evidence->definition->name, std::move(measured), question.metric->name,
                                question.budget->text, {facts::because_of(std::move(reasons))}),
        reports::DoubtKind::policy);
  }

  void take(const Question& question, const stats::ClaimJudgement& answer) {
    const auto value = [&](double ratio) { return facts::Quantity{question.value(ratio), question.metric->unit}; };
    const std::string& budget = question.budget->text;
    if (answer.call == stats::ClaimCall::broken) {
      const facts::Quantity measured = value(answer.ratio.value_or(1));
      return mark_over(question,
                       answer.lower ? facts::above_budget_at_least(measured, value(*answer.lower), budget)
                                    : facts::above_budget(measured, budget),
                       std::nullopt);
    }
    if (answer.call == stats::ClaimCall::holds) return;
    facts::Facts measured;
    facts::Facts reasons;
    facts::Facts why;
    if (answer.ratio) measured.push_back(facts::measured_value(value(*answer.ratio)));
    for (const stats::Reason reason : answer.reasons.list()) reasons.push_back(facts::test(reason));
    if (!reasons.empty()) why.push_back(facts::because_of(std::move(reasons)));
    remarks_.notes.push_back(facts::budget_undecided(question.evidence->definition->name, std::move(measured),
                                                     question.metric->name, budget, std::move(why)));
  }

  std::vector<Judged>& cases_;
  std::unordered_map<std::string, std::size_t> places_;  // of judged metrics
  const policy::CaseGates& policy_;
  bool times_;
  Remarks& remarks_;
  std::vector<Question> timed_;
  std::int64_t not_judged_ = 0;
};

bool was_unchanged(const SideEvidence& after, const CaseEvidence& evidence) {
  return evidence.measured.empty() && !not_measured_because_unchanged(after.run(), evidence.definition->group).empty();
}

}  // namespace

void judge_budgets(std::vector<Judged>& cases, const SideEvidence* before, const SideEvidence& after,
                   policy::CasePolicies& policies, const policy::CaseGates& policy, bool times, Remarks& remarks) {
  const bool any = std::any_of(policy.case_rules.begin(), policy.case_rules.end(),
                               [](const policy::CaseRule& rule) { return !rule.budgets.empty(); });
  if (!any) return;
  Budgets budgets(cases, policy, times, remarks);
  for (const auto& [name, evidence] : after.cases()) {
    // What was not measured because nothing of it changed is what the baseline measured.
    const CaseEvidence* const same = was_unchanged(after, evidence) && before != nullptr ? before->find(name) : nullptr;
    for (const auto& [metric, budget] : policies.of(name).budgets)
      budgets.ask(same != nullptr ? *same : evidence, metric, budget);
  }
  budgets.judge_times();
}

}  // namespace torchgate::gate
