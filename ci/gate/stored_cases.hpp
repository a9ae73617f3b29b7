// SPDX-License-Identifier: Apache-2.0
// The stages of a stored comparison in their order: evidence, screen, pairs, guards, policy. What comes out is decided; a report
// shows it, and the suspects are among it.
#pragma once

#include <optional>

#include "ci/gate/assessment.hpp"
#include "ci/gate/screened.hpp"

namespace torchgate::gate {

/// ASSESSMENT has the claims of the current run and what was remarked so far, and gets the cases. UNFIT: unfit_because() of the comparison.
void judge_stored_cases(const Comparison& comparison, const StoredSides& sides, const std::optional<facts::Fact>& unfit,
                        policy::CasePolicies& policies, const policy::Judging& policy, Assessment& assessment);

}  // namespace torchgate::gate
