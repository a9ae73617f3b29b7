// SPDX-License-Identifier: Apache-2.0
// Waivers of commits that the baseline already has.
#pragma once

#include "ci/policy/policy.hpp"
#include "harness/record/run.hpp"

namespace torchgate::workflow {

/// POLICY, whose waivers are marked (Waiver::in_baseline) where their commit is BASELINE's or one of its newest 5,000 ancestors. Of a commit that this
/// clone does not have in that history (squashed, shallow, no repository) nothing is known, and its waiver applies.
policy::Policy with_spent_waivers(policy::Policy policy, const record::Run& baseline);

}  // namespace torchgate::workflow
