// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/pairs/pair_plan.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "ci/gate/answer.hpp"
#include "ci/gate/own_settings.hpp"
#include "ci/policy/case_rules.hpp"
#include "stats/rules.hpp"

namespace torchgate::gate {
namespace {

constexpr double confirmation_no_harm_level = 0.98;

}  // namespace

std::size_t family_of(const record::Run& run, const std::vector<std::string>& cases, const policy::Policy& policy) {
  const std::set<std::string_view> asked(cases.begin(), cases.end());
  policy::CasePolicies policies(policy);
  std::size_t verdicts = 0;
  for (const record::Case& definition : run.cases) {
    if (!asked.contains(definition.name) || definition.skipped || primary_metric(definition) == nullptr) continue;
    const policy::Policy& own = policies.of(definition.name);
    // One for each metric that is judged. Median, P95 and P99 are three where the policy gates tails.
    verdicts += judged_metrics(definition, own).size() + (own.tails == policy::Action::pass ? 0 : 2);
  }
  return std::max<std::size_t>(1, verdicts);
}

PairPlan pair_plan(const record::Run& pairs, const policy::Policy& policy) {
  std::vector<std::string> asked;
  for (const record::Case& definition : pairs.cases) asked.push_back(definition.name);
  PairPlan plan;
  // A confirmation fixed it before: a suspect that came back without numbers makes the others no easier.
  plan.family =
      pairs.plan.confirms ? static_cast<std::size_t>(pairs.plan.confirms->family) : family_of(pairs, asked, policy);
  plan.last = static_cast<std::size_t>(std::max<std::int64_t>(1, pairs.plan.processes));
  // A stop at 95 % ends a true slow-down of 2 % as "no harm" in one case of eight. A confirmation has few cases and can pay
  // for 98 %; `ab` on a noisy machine would need 69 % of the pairs of a fixed plan instead of 60 %.
  if (pairs.plan.confirms) plan.no_harm_level = confirmation_no_harm_level;
  return plan;
}

std::vector<double> pair_differences(const ProcessValues& before, const ProcessValues& after) {
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
  PairPlan here = plan;
  here.last = plan.last > lost ? plan.last - lost : 1;
  return here;
}

void apply(const PairPlan& plan, stats::RuleOptions& options) {
  options.family = plan.family;
  options.last_pair = plan.last;
  options.no_harm_level = plan.no_harm_level;
}

stats::RuleAnswer judge_case_pairs(const std::vector<double>& differences, const PairPlan& plan,
                                   const policy::Policy& policy) {
  stats::RuleOptions options = rule_options(policy);
  apply(plan, options);
  stats::CaseNumbers one;
  one.pair_differences = differences;
  return stats::paired_rule().judge(std::span(&one, 1), options).front();
}

}  // namespace torchgate::gate
