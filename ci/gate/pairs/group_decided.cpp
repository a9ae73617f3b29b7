// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/pairs/group_decided.hpp"

#include "ci/gate/evidence/work.hpp"
#include "ci/gate/own_settings.hpp"
#include "ci/gate/pairs/pair_forecasts.hpp"
#include "ci/gate/pairs/pair_plan.hpp"
#include "ci/gate/pairs/tails.hpp"
#include "ci/policy/case_rules.hpp"

namespace torchgate::gate {
namespace {

// Calls SEE for each case of pairs so far that more of them could decide; it says whether to go on looking.
template <class Wanted, class See>
void each_undecided(const record::Run& so_far, const policy::CaseGates& policy, Wanted&& wanted, See&& see) {
  const PairPlans plans(so_far, policy);
  policy::CasePolicies policies(policy);
  const SideEvidence before(so_far, 0);
  const SideEvidence after(so_far, 1);
  for (const record::Case& definition : so_far.cases) {
    if (!wanted(definition) || definition.skipped) continue;
    const CaseEvidence* was = before.find(definition.name);
    const CaseEvidence* is = after.find(definition.name);
    if (was == nullptr || is == nullptr || primary_metric(definition) == nullptr) continue;
    if (case_decided(definition, *was, *is, plans.of(definition.name), policies.of(definition.name))) continue;
    if (!see(definition)) return;
  }
}

}  // namespace

bool case_decided(const record::Case& definition, const CaseEvidence& before, const CaseEvidence& after,
                  const PairPlan& plan, const policy::Gate& own) {
  const auto settled = [](const CaseEvidence& side) { return !side.failures.empty() || !side.wrongs.empty(); };
  if (settled(before) || settled(after)) return true;
  std::vector<const record::Metric*> metrics = judged_metrics(definition, own);
  for (const record::Metric* rate : judged_rates(before, after, own)) {
    const bool measured =
        !process_values(before, *rate).medians.empty() && !process_values(after, *rate).medians.empty();
    if (measured) metrics.push_back(rate);  // else no pair decides it
  }
  for (const record::Metric* metric : metrics) {
    const PairValues values = pair_values(before, after, *metric);
    const PairPlan here = plan_of_case(plan, before, after, values.size());
    if (!judge_case_pairs(values, here, own).decided) return false;
    if (metric->primary && !tails_decided(before, after, *metric, here, own)) return false;
  }
  return true;
}

std::set<std::string_view> undecided_suspects(const record::Run& so_far, const policy::CaseGates& policy) {
  const PairPlans plans(so_far, policy);
  policy::CasePolicies policies(policy);
  const SideEvidence before(so_far, 0);
  const SideEvidence after(so_far, 1);
  std::set<std::string_view> groups;
  each_undecided(
      so_far, policy,
      [&](const record::Case& definition) {
        return !plans.is_open(definition.name) && !groups.contains(definition.group);
      },
      [&](const record::Case& definition) {
        const CaseEvidence& was = *before.find(definition.name);
        const CaseEvidence& is = *after.find(definition.name);
        if (!beyond_all_pairs(definition, was, is, plans.first(), policies.of(definition.name)))
          groups.insert(definition.group);
        return true;
      });
  return groups;
}

std::set<std::string_view> undecided_groups(const record::Run& so_far, const policy::CaseGates& policy) {
  std::set<std::string_view> groups;
  each_undecided(
      so_far, policy, [&](const record::Case& definition) { return !groups.contains(definition.group); },
      [&](const record::Case& definition) { return groups.insert(definition.group).second; });
  return groups;
}

}  // namespace torchgate::gate
