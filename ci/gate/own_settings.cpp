// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/own_settings.hpp"

#include <algorithm>
#include <string>

#include "ci/gate/evidence/evidence.hpp"
#include "reports/facts/about_settings.hpp"

namespace torchgate::gate {
namespace {

using reports::Verdict;

bool follows_settings(Verdict verdict) {
  switch (verdict) {
    case Verdict::failed:
    case Verdict::wrong:
    case Verdict::missing:
    case Verdict::not_comparable:
    case Verdict::unchanged:
    case Verdict::new_case:
    case Verdict::skipped:
      return false;
    default:
      return true;
  }
}

void say_own_gate(Judged& judged, double own, double gate_of_all) {
  if (own == gate_of_all) return;
  judged.own_gate = own;
  // A tail does what gate.tails says, whatever its size; what instructions decide names the gate itself.
  if (judged.decision.verdict == Verdict::regressed && judged.action == reports::GateAction::fail &&
      judged.action_rule != ActionRule::tail && !decided_by_count(judged))
    add_reason(judged, ReasonKind::below_gate, facts::beyond_own_gate(own));
}

}  // namespace

std::vector<const record::Metric*> judged_metrics(const record::Case& definition,
                                                  const policy::CaseSettings& policy_of_case) {
  std::vector<const record::Metric*> judged;
  const record::Metric* const primary = primary_metric(definition);
  if (primary != nullptr) judged.push_back(primary);
  for (const record::Metric& metric : definition.metrics) {
    const auto named = policy_of_case.metrics.find(metric.name);
    const bool gates = named != policy_of_case.metrics.end() && named->second != policy::Action::pass;
    if (gates && metric.kind == record::MetricKind::timed && &metric != primary) judged.push_back(&metric);
  }
  return judged;
}

std::size_t metrics_beside_primary(const std::map<std::string_view, const record::Case*>& cases,
                                   policy::CasePolicies& policies) {
  std::size_t count = 0;
  for (const auto& [name, definition] : cases) {
    const policy::CaseSettings& own = policies.of(name);
    if (!own.metrics.empty()) count += judged_metrics(*definition, own).size();  // a primary one too many does no harm
  }
  return count;
}

void say_own_settings(std::vector<Judged>& cases, std::vector<reports::ClaimFinding>& claims,
                      policy::CasePolicies& policies, double gate_of_all) {
  for (Judged& judged : cases) {
    if (!follows_settings(judged.decision.verdict)) continue;
    const std::string own = policies.own_settings(judged.case_name());
    if (own.empty()) continue;
    add_reason(judged, ReasonKind::settings, facts::own_settings(own));
    say_own_gate(judged, policies.of(judged.case_name()).latency, gate_of_all);
  }
  for (reports::ClaimFinding& claim : claims) {
    const std::string own = policies.own_settings(claim.case_name);
    if (own.find("claim_broken") == std::string::npos) continue;
    claim.reasons.push_back(facts::own_settings(own));
  }
}

double widest_equivalence(const std::vector<Judged>& cases, policy::CasePolicies& policies, double at_least) {
  for (const Judged& judged : cases) {
    if (judged.decision.verdict == Verdict::equivalent)
      at_least = std::max(at_least, policies.of(judged.case_name()).equivalence);
  }
  return at_least;
}

}  // namespace torchgate::gate
