// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/assessment.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "ci/gate/action.hpp"
#include "ci/gate/budgets.hpp"
#include "ci/gate/evidence/losses.hpp"
#include "ci/gate/outcome.hpp"
#include "ci/gate/own_settings.hpp"
#include "ci/gate/waive.hpp"
#include "ci/policy/since_pin.hpp"
#include "reports/facts/about_settings.hpp"

namespace torchgate::gate {
namespace {

// What was not measured, or is wrong, fails also where a report only informs: it says nothing of what was asked.
bool was_measured(reports::Verdict verdict) {
  using reports::Verdict;
  return verdict != Verdict::failed && verdict != Verdict::wrong && verdict != Verdict::missing &&
         verdict != Verdict::not_comparable;
}

// Cases by a ratio of the policy and the gate that it exceeds.
using BeyondGate = std::map<std::pair<double, double>, std::size_t>;

// Possible only where gate.equivalence is set above the gate. The interval is the one that the margin was compared with.
bool may_reach_gate(const Judged& judged, const policy::CaseSettings& own) {
  if (judged.decision.verdict != reports::Verdict::equivalent || !judged.decision.interval) return false;
  const auto& [low, high, level] = *judged.decision.interval;
  return std::max(worse_ratio(low, judged.metric), worse_ratio(high, judged.metric)) >= 1 + own.latency;
}

void add_settings_beyond_gate(const BeyondGate& margins, const BeyondGate& equivalences, const std::string& gate,
                              std::vector<reports::Doubt>& doubts) {
  for (const auto& [ratios, count] : margins) {
    doubts.emplace_back(facts::margin_beyond_gate(ratios.first, gate, ratios.second, count),
                        reports::DoubtKind::policy);
  }
  for (const auto& [ratios, count] : equivalences) {
    doubts.emplace_back(facts::equivalence_beyond_gate(ratios.first, gate, ratios.second, count),
                        reports::DoubtKind::policy);
  }
}

// The policy's stage: effects, [[case]] tables, waivers, and what of it matters for this comparison.
void settle_policy(std::vector<Judged>& cases, std::vector<reports::ClaimFinding>& claims, const SideEvidence& before,
                   const SideEvidence& after, policy::CasePolicies& policies, const policy::Judging& policy,
                   Remarks& remarks) {
  BeyondGate margins;
  BeyondGate equivalences;
  for (Judged& judged : cases) {
    const policy::Gate& own = policies.of(judged.case_name());
    settle_action(judged, own);
    judged.may_reach_gate = own.equivalence > own.latency && may_reach_gate(judged, own);
    if (!judged.metric.primary) continue;
    if (own.margin > own.latency) ++margins[{own.margin, own.latency}];
    if (own.equivalence > own.latency) ++equivalences[{own.equivalence, own.latency}];
  }
  std::vector<reports::Doubt> doubts;
  for (const std::string& doubt : policy.doubts) doubts.emplace_back(doubt, reports::DoubtKind::policy);
  add_settings_beyond_gate(margins, equivalences, policy.judges_since ? "gate.since" : "gate.latency", doubts);
  remarks.doubts.insert(remarks.doubts.begin(), doubts.begin(), doubts.end());
  remarks.notes.insert(remarks.notes.end(), policy.notes.begin(), policy.notes.end());
  if (!policy.case_rules.empty()) {
    for (std::string& one : policies.notes(cases_of(before, after), cases_of(after, before)))
      remarks.notes.push_back(std::move(one));
    say_own_settings(cases, claims, policies, policy::settled_gate(policy).latency);
  }
  apply_waivers(cases, before, after, policy, remarks);
  if (!policy.informs) return;
  for (Judged& judged : cases)
    if (was_measured(judged.decision.verdict)) judged.action = std::max(judged.action, reports::GateAction::warn);
  for (reports::ClaimFinding& claim : claims) claim.action = std::max(claim.action, reports::GateAction::warn);
}

}  // namespace

void last_stages(Assessment& assessment, const LastStages& stages, policy::CasePolicies& policies,
                 const policy::Judging& policy) {
  std::vector<reports::ClaimFinding>& claims = assessment.report.claims;
  if (stages.times) distrust_times(assessment.cases, *stages.times);
  if (stages.this_side) distrust_claims(claims, *stages.this_side);
  distrust_short_samples(assessment.cases, claims, *stages.before, *stages.after, policy, assessment.remarks);
  judge_open_counts(assessment.cases, stages.counts, policies, policy, assessment.remarks);
  const bool fit = !stages.this_side;
  if (stages.budgets)
    judge_budgets(assessment.cases, stages.before, *stages.after, policies, policy, fit, assessment.remarks);
  settle_policy(assessment.cases, claims, *stages.before, *stages.after, policies, policy, assessment.remarks);
  guard_losses(assessment.cases, *stages.before, *stages.after);  // no waiver of a slow-down accepts losses
}

reports::Report report_of(Assessment assessment, policy::CasePolicies& policies, const policy::Judging& policy) {
  reports::Report report = std::move(assessment.report);
  report.informs = policy.informs;
  if (!policy.case_rules.empty())
    report.equivalence_ratio = widest_equivalence(assessment.cases, policies, report.equivalence_ratio);
  conclude(report, std::move(assessment.cases), std::move(assessment.remarks), assessment.incomplete,
           policy.min_decided);
  return report;
}

}  // namespace torchgate::gate
