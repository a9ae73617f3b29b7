// SPDX-License-Identifier: Apache-2.0
// Which cases of a stored comparison are worth measuring again in pairs.
#include <set>
#include <string_view>

#include "ci/gate/evidence/machines.hpp"
#include "ci/gate/evidence/one_clock.hpp"
#include "ci/gate/judge.hpp"
#include "ci/gate/outcome.hpp"
#include "ci/gate/stored_cases.hpp"
#include "stats/rules.hpp"

namespace torchgate::gate {
namespace {

using reports::Verdict;

// A stored comparison leaves it open, and pairs have not been asked yet.
bool open_case(const Judged& judged) {
  return judged.decision.verdict == Verdict::inconclusive && judged.metric.primary && judged.after != nullptr &&
         !judged.asked_pairs();
}

bool worth_pairs(const Judged& judged, const policy::Gate& policy) {
  if (!judged.older_run.empty()) return false;  // pairs run the binaries of the nearest stored run
  const stats::Rule& rule = *stats::find_rule(policy.rule);
  if (rule.needs_pairs()) return open_case(judged);
  if (!rule.screens || policy.confirm == policy::Confirm::none) return false;
  if (judged.decision.verdict == Verdict::suspected || (judged.probe && !judged.asked_pairs())) return true;
  const auto& p = judged.decision.p;
  const auto& alpha = judged.decision.alpha;
  const bool faster = open_case(judged) && p && alpha && *p < *alpha;
  return policy.confirm == policy::Confirm::all && faster;
}

// The screen was asked, and neither suspects nor decides it. Not what no pairs could decide: times that are not judged.
bool left_open(const Judged& judged, const policy::Gate& policy) {
  if (!judged.older_run.empty()) return false;
  const stats::Rule& rule = *stats::find_rule(policy.rule);
  if (!rule.screens || !rule.judges_pairs || policy.confirm == policy::Confirm::none) return false;
  const bool measured =
      judged.before != nullptr && judged.after != nullptr && judged.metric.kind == record::MetricKind::timed;
  return open_case(judged) && measured && !has_reason(judged, ReasonKind::state);
}

}  // namespace

base::Result<PairCases> cases_for_pairs(const Comparison& comparison, const policy::Judging& with_waivers) {
  // Waivers change what a finding does, and so its place in the report, but not what is measured: the job that judges computes the
  // plan again, perhaps with waivers that were accepted since.
  policy::Judging policy = with_waivers;
  policy.waivers.clear();
  if (auto checked = check_runs(comparison.baseline, *comparison.current); !checked) return checked.error();
  PairCases found;
  std::vector<record::Run> converted;
  const Comparison fit = without_unfit(without_other_hosts(in_one_clock(comparison, converted)), policy);
  if (refuse_comparison(fit.baseline.front()->machine, fit.current->machine)) return found;
  if (unfit_because(fit, policy)) return found;
  const StoredSides sides(fit);
  policy::CasePolicies policies(policy);
  Assessment judged;
  judge_stored_cases(fit, sides, std::nullopt, policies, policy, judged);
  sort_by_urgency(judged.cases);
  std::set<std::string_view> known;  // a case may be suspected by two metrics
  for (const Judged& each : judged.cases) {
    if (worth_pairs(each, policy) && known.insert(each.case_name()).second) found.suspects.push_back(each.case_name());
  }
  for (const Judged& each : judged.cases) {
    if (left_open(each, policy) && known.insert(each.case_name()).second) found.open.push_back(each.case_name());
  }
  return found;
}

}  // namespace torchgate::gate
