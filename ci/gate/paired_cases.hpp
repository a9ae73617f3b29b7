// SPDX-License-Identifier: Apache-2.0
// The stages of a paired run up to the guards: evidence of both sides, what state each case is in, what its pairs decide.
#pragma once

#include <vector>

#include "ci/gate/judged.hpp"
#include "ci/policy/case_rules.hpp"
#include "ci/policy/policy.hpp"

namespace torchgate::gate {

/// BEFORE and AFTER are the sides of one run. REMARKS: gets the cases of which the rule can compare nothing.
std::vector<Judged> judge_paired_cases(const SideEvidence& before, const SideEvidence& after,
                                       policy::CasePolicies& policies, const policy::CaseGates& policy,
                                       Remarks& remarks);

}  // namespace torchgate::gate
