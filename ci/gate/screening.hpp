// SPDX-License-Identifier: Apache-2.0
// The second stage of a stored comparison: what the policy's rule says of the numbers, corrected for machine drift.
#pragma once

#include "ci/gate/screened.hpp"

namespace torchgate::gate {

/// Decides what is compared by the policy's rule, and marks the probes that pairs should have.
void screen(Screened& collected, const Comparison& comparison, policy::CasePolicies& policies,
            const policy::Gate& policy, Remarks& remarks);

}  // namespace torchgate::gate
