// SPDX-License-Identifier: Apache-2.0
// Which cases of a stored comparison are worth measuring again in pairs.
#include <algorithm>

#include "ci/gate/evidence/machines.hpp"
#include "ci/gate/judge.hpp"
#include "ci/gate/outcome.hpp"
#include "ci/gate/stored_cases.hpp"
#include "stats/rules.hpp"

namespace torchgate::gate {
namespace {

using reports::Verdict;

// A stored comparison leaves it open, and pairs have not been asked yet.
bool open_case(const Judged& judged) {
  return judged.decision.verdict == Verdict::inconclusive && judged.metric.primary && !judged.asked_pairs();
}

bool worth_pairs(const Judged& judged, const policy::Policy& policy) {
  const stats::Rule& rule = *stats::find_rule(policy.rule);
  if (rule.needs_pairs()) return open_case(judged);
  if (!rule.screens || policy.confirm == policy::Confirm::none) return false;
  if (judged.decision.verdict == Verdict::suspected || (judged.probe && !judged.asked_pairs())) return true;
  const auto& p = judged.decision.p;
  const auto& alpha = judged.decision.alpha;
  const bool faster = open_case(judged) && p && alpha && *p < *alpha;
  return policy.confirm == policy::Confirm::all && faster;
}

}  // namespace

base::Result<std::vector<std::string>> suspects(const StoredComparison& comparison, const policy::Policy& policy) {
  if (auto checked = check_runs(comparison.baseline, *comparison.current); !checked) return checked.error();
  std::vector<std::string> names;
  const StoredComparison fit = without_unfit(comparison, policy);
  if (refuse_comparison(fit.baseline.front()->machine, fit.current->machine)) return names;
  const auto distrust = distrust_of(fit, policy);
  if (distrust && distrust->unfit) return names;
  const StoredSides sides(fit);
  policy::CasePolicies policies(policy);
  Remarks remarks;
  StoredCases judged = judge_stored_cases(fit, sides, {}, distrust, policies, policy, remarks);
  sort_by_urgency(judged.cases);
  for (const Judged& each : judged.cases) {
    if (!worth_pairs(each, policy)) continue;
    const bool known = std::find(names.begin(), names.end(), each.case_name()) != names.end();  // by another metric
    if (!known) names.push_back(each.case_name());
  }
  return names;
}

}  // namespace torchgate::gate
