// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/pairs/confirmation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "ci/gate/answer.hpp"
#include "ci/gate/evidence/numbers.hpp"
#include "ci/gate/outcome.hpp"
#include "ci/gate/own_settings.hpp"
#include "ci/gate/pairs/tails.hpp"
#include "ci/policy/case_rules.hpp"
#include "stats/rules.hpp"

namespace torchgate::gate {

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

stats::RuleAnswer judge_case_pairs(const std::vector<double>& differences, const PairPlan& plan,
                                   const policy::Policy& policy) {
  stats::RuleOptions options = rule_options(policy);
  options.family = plan.family;
  options.last_pair = plan.last;
  stats::CaseNumbers one;
  one.pair_differences = differences;
  return stats::paired_rule().judge(std::span(&one, 1), options).front();
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

void apply_unconfirmed(reports::Finding& finding, bool beyond_gate, std::size_t family, const std::string& because,
                       const policy::Policy& policy) {
  if (!finding.confirmation) finding.confirmation.emplace();
  finding.confirmation->note = because;
  finding.reasons.push_back("not confirmed: " + because);
  const bool fails = policy.unconfirmed == policy::Unconfirmed::fail ||
                     (policy.unconfirmed == policy::Unconfirmed::beyond && beyond_gate);
  finding.effect = limited_by_metric(finding, fails ? reports::GateEffect::fail : reports::GateEffect::warn, policy);
  if (beyond_gate) {
    finding.reasons.push_back(fmt::format("its whole {:g} % interval lies beyond the gate of {:g} %",
                                          100 * (1 - policy.alpha / static_cast<double>(family)),
                                          policy.latency * 100));
  }
}

void apply_pairs(reports::Finding& finding, const stats::RuleAnswer& answer, const policy::Policy& policy) {
  if (answer.call == stats::Call::equivalent) {
    finding.reasons.push_back(fmt::format("within ±{:g} % at {} pairs", policy.equivalence * 100, answer.pairs));
  }
  apply_answer(finding, answer, policy);
}

namespace {

bool case_decided(const record::Case& definition, const CaseEvidence& was, const CaseEvidence& is, const PairPlan& plan,
                  const policy::Policy& own) {
  const auto settled = [](const CaseEvidence& side) { return !side.failures.empty() || !side.wrongs.empty(); };
  if (settled(was) || settled(is)) return true;
  for (const record::Metric* metric : judged_metrics(definition, own)) {
    const auto differences = pair_differences(timed_evidence(was, *metric), timed_evidence(is, *metric));
    const PairPlan here = plan_of_case(plan, was, is, differences.size());
    if (!judge_case_pairs(differences, here, own).decided) return false;
    if (metric->primary && !tails_decided(was, is, *metric, here, own)) return false;
  }
  return true;
}

// Calls SEE for each case of pairs so far that more of them could decide; it says whether to go on looking.
template <class Wanted, class See>
void each_undecided(const record::Run& so_far, const policy::Policy& policy, Wanted&& wanted, See&& see) {
  const PairPlan plan = pair_plan(so_far, policy);
  policy::CasePolicies policies(policy);
  const SideEvidence before(so_far, 0);
  const SideEvidence after(so_far, 1);
  for (const record::Case& definition : so_far.cases) {
    if (!wanted(definition) || definition.skipped) continue;
    const CaseEvidence* was = before.find(definition.name);
    const CaseEvidence* is = after.find(definition.name);
    if (was == nullptr || is == nullptr || primary_metric(definition) == nullptr) continue;
    if (case_decided(definition, *was, *is, plan, policies.of(definition.name))) continue;
    if (!see(definition)) return;
  }
}

}  // namespace

bool group_decided(const record::Run& so_far, const std::string& group, const policy::Policy& policy) {
  bool decided = true;
  each_undecided(
      so_far, policy, [&](const record::Case& definition) { return definition.group == group; },
      [&](const record::Case&) { return decided = false; });
  return decided;
}

std::set<std::string_view> undecided_groups(const record::Run& so_far, const policy::Policy& policy) {
  std::set<std::string_view> groups;
  each_undecided(
      so_far, policy, [&](const record::Case& definition) { return !groups.contains(definition.group); },
      [&](const record::Case& definition) { return groups.insert(definition.group).second; });
  return groups;
}

}  // namespace torchgate::gate
