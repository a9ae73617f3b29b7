// SPDX-License-Identifier: Apache-2.0
// Whether cases keep the absolute limits that the policy gives them, whatever the baseline says.
#pragma once

#include <vector>

#include "ci/gate/evidence/evidence.hpp"
#include "ci/gate/judged.hpp"
#include "ci/policy/case_rules.hpp"

namespace torchgate::gate {

/// For each budget of a [[case]] table, on the AFTER side: a case whose whole interval of the metric lies above the limit (one-sided t
/// over the logarithms of the processes' medians; all timed budgets share alpha, as claims do), or whose count is above it, becomes
/// `over_budget`. A case that failed, is wrong, missing or regressed keeps that verdict, and gets the sentence; its action becomes
/// fail. What cannot be judged is said in the remarks. `times`: whether times may be judged at all.
/// A case of a group that is unchanged is judged by what BEFORE measured; nullptr: there is no such side.
void judge_budgets(std::vector<Judged>& cases, const SideEvidence* before, const SideEvidence& after,
                   policy::CasePolicies& policies, const policy::CaseGates& policy, bool times, Remarks& remarks);

}  // namespace torchgate::gate
