// SPDX-License-Identifier: Apache-2.0
// The policy's stage as a whole, after the guards: effects, [[case]] settings, waivers.
#pragma once

#include <vector>

#include "ci/gate/judged.hpp"
#include "ci/policy/case_rules.hpp"
#include "ci/policy/policy.hpp"

namespace torchgate::gate {

/// Sets what each decision does, applies waivers, and says what about the policy matters for this comparison.
void settle_policy(std::vector<Judged>& cases, std::vector<reports::ClaimFinding>& claims, const SideEvidence& before,
                   const SideEvidence& after, policy::CasePolicies& policies, const policy::Policy& policy,
                   Remarks& remarks);

}  // namespace torchgate::gate
