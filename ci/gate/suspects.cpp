// SPDX-License-Identifier: Apache-2.0
// Which cases of a stored comparison are worth measuring again in pairs.
#include "ci/gate/judge.hpp"

#include <algorithm>

#include "stats/rules.hpp"

namespace torchgate::gate {
namespace {

using reports::Finding;
using reports::Verdict;

// A stored comparison leaves it open, and pairs have not been asked yet.
bool open_case(const Finding& finding) {
  return finding.verdict == Verdict::inconclusive && finding.metric.primary && !finding.confirmation;
}

bool worth_pairs(const Finding& finding, const policy::Policy& policy) {
  const stats::Rule& rule = *stats::find_rule(policy.rule);
  if (rule.needs_pairs()) return open_case(finding);
  if (!rule.screens || policy.confirm == policy::Confirm::none) return false;
  if (finding.verdict == Verdict::suspected || (finding.probe && !finding.confirmation)) return true;
  const bool faster = open_case(finding) && finding.p && finding.alpha && *finding.p < *finding.alpha;
  return policy.confirm == policy::Confirm::all && faster;
}

}  // namespace

std::vector<std::string> suspects(const reports::Report& report, const policy::Policy& policy) {
  std::vector<std::string> names;
  if (report.unfit) return names;
  for (const Finding& finding : report.findings) {
    if (!worth_pairs(finding, policy)) continue;
    const bool known = std::find(names.begin(), names.end(), finding.case_name) != names.end();  // by another metric
    if (!known) names.push_back(finding.case_name);
  }
  return names;
}

}  // namespace torchgate::gate
