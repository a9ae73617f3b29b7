// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/own_settings.hpp"

#include <algorithm>
#include <string>

#include "ci/gate/evidence/evidence.hpp"
#include "ci/gate/outcome.hpp"

namespace torchgate::gate {
namespace {

using reports::Verdict;

bool follows_settings(Verdict verdict) {
  switch (verdict) {
    case Verdict::failed:
    case Verdict::wrong:
    case Verdict::missing:
    case Verdict::new_case:
    case Verdict::skipped:
      return false;
    default:
      return true;
  }
}

}  // namespace

std::vector<const record::Metric*> judged_metrics(const record::Case& definition,
                                                  const policy::Policy& policy_of_case) {
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
    const policy::Policy& own = policies.of(name);
    if (!own.metrics.empty()) count += judged_metrics(*definition, own).size();  // a primary one too many does no harm
  }
  return count;
}

reports::GateEffect limited_by_metric(const reports::Finding& finding, reports::GateEffect effect,
                                      const policy::Policy& policy_of_case) {
  const auto named = policy_of_case.metrics.find(finding.metric.name);
  if (named == policy_of_case.metrics.end()) return effect;
  return std::max(effect, effect_of(named->second));  // the later of fail, warn, note, pass is the milder
}

void say_own_settings(reports::Report& report, policy::CasePolicies& policies) {
  for (reports::Finding& finding : report.findings) {
    if (finding.verdict == Verdict::equivalent)
      report.equivalence_ratio = std::max(report.equivalence_ratio, policies.of(finding.case_name).equivalence);
    if (!follows_settings(finding.verdict)) continue;
    const std::string own = policies.own_settings(finding.case_name);
    if (!own.empty()) finding.reasons.push_back("settings of its own: " + own);
  }
  for (reports::ClaimFinding& claim : report.claims) {
    const std::string own = policies.own_settings(claim.case_name);
    if (own.find("claim_broken") == std::string::npos) continue;
    claim.reason += (claim.reason.empty() ? "" : "; ") + ("settings of its own: " + own);
  }
}

}  // namespace torchgate::gate
