// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/confirmation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ci/gate/answer.hpp"
#include "ci/gate/numbers.hpp"
#include "ci/gate/tails.hpp"
#include "stats/rules.hpp"

namespace torchgate::gate {

std::size_t family_of(std::size_t cases, const Policy& policy) {
  // Median, P95 and P99 are three verdicts where the policy gates tails.
  const std::size_t verdicts_per_case = policy.tails == Action::pass ? 1 : 3;
  return std::max<std::size_t>(1, cases * verdicts_per_case);
}

PairPlan pair_plan(const record::Run& pairs, const Policy& policy) {
  const auto asked = std::count_if(pairs.cases.begin(), pairs.cases.end(), [](const record::Case& definition) {
    return !definition.skipped && primary_metric(definition) != nullptr;
  });
  PairPlan plan;
  // A confirmation fixed it before: a suspect that came back without numbers makes the others no easier.
  plan.family = pairs.plan.confirms ? static_cast<std::size_t>(pairs.plan.confirms->family)
                                    : family_of(static_cast<std::size_t>(asked), policy);
  plan.last = static_cast<std::size_t>(std::max<std::int64_t>(1, pairs.plan.processes));
  return plan;
}

std::vector<double> pair_differences(const TimedEvidence& before, const TimedEvidence& after) {
  std::map<std::int64_t, double> by_pair;
  for (std::size_t i = 0; i < before.pairs.size(); ++i) by_pair[before.pairs[i]] = before.worse_logs[i];
  std::vector<double> differences;
  for (std::size_t i = 0; i < after.pairs.size(); ++i) {
    const auto partner = by_pair.find(after.pairs[i]);
    if (partner != by_pair.end()) differences.push_back(after.worse_logs[i] - partner->second);
  }
  return differences;
}

PairPlan plan_of_case(const PairPlan& plan, const CaseEvidence& before, const CaseEvidence& after, std::size_t pairs) {
  const auto attempted = static_cast<std::size_t>(std::max(before.processes, after.processes));
  const std::size_t lost = attempted > pairs ? attempted - pairs : 0;
  return {plan.family, plan.last > lost ? plan.last - lost : 1};
}

stats::RuleAnswer judge_case_pairs(const std::vector<double>& differences, const PairPlan& plan, const Policy& policy) {
  stats::RuleOptions options = rule_options(policy);
  options.family = plan.family;
  options.last_pair = plan.last;
  stats::CaseNumbers one;
  one.pair_differences = differences;
  return stats::find_rule("paired")->judge(std::span(&one, 1), options).front();
}

reports::Confirmation as_confirmation(const stats::RuleAnswer& answer, const record::Metric& metric) {
  reports::Confirmation confirmation;
  confirmation.pairs = static_cast<std::int64_t>(answer.pairs);
  if (answer.effect) confirmation.change = relative_change(*answer.effect, metric);
  if (answer.interval) confirmation.interval = relative_interval(*answer.interval, metric);
  confirmation.p = answer.p;
  confirmation.alpha = answer.p_limit.value_or(0);
  confirmation.confirmed = answer.call == stats::Call::regressed || answer.call == stats::Call::improved;
  return confirmation;
}

void apply_pairs(reports::Finding& finding, const stats::RuleAnswer& answer, const Policy& policy) {
  if (answer.call == stats::Call::equivalent) {
    finding.reasons.push_back(fmt::format("within ±{:g} % at {} pairs", policy.equivalence * 100, answer.pairs));
  }
  apply_answer(finding, answer, policy);
}

bool group_decided(const record::Run& so_far, const std::string& group, const Policy& policy) {
  const PairPlan plan = pair_plan(so_far, policy);
  const SideEvidence before(so_far, 0);
  const SideEvidence after(so_far, 1);
  for (const record::Case& definition : so_far.cases) {
    if (definition.group != group || definition.skipped) continue;
    const record::Metric* metric = primary_metric(definition);
    const CaseEvidence* was = before.find(definition.name);
    const CaseEvidence* is = after.find(definition.name);
    if (metric == nullptr || was == nullptr || is == nullptr) continue;
    const auto settled = [](const CaseEvidence& side) { return !side.failures.empty() || !side.wrongs.empty(); };
    if (settled(*was) || settled(*is)) continue;
    const auto differences = pair_differences(timed_evidence(*was, *metric), timed_evidence(*is, *metric));
    const PairPlan own = plan_of_case(plan, *was, *is, differences.size());
    if (!judge_case_pairs(differences, own, policy).decided) return false;
    if (!tails_decided(*was, *is, *metric, own, policy)) return false;
  }
  return true;
}

}  // namespace torchgate::gate
