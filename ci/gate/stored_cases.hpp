// SPDX-License-Identifier: Apache-2.0
// The stages of a stored comparison in their order: evidence, screen, pairs, guards, policy. What comes out is decided; a report
// shows it, and the suspects are among it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ci/gate/evidence/fitness.hpp"
#include "ci/gate/screened.hpp"

namespace torchgate::gate {

struct StoredCases {
  std::vector<Judged> cases;
  std::vector<reports::ClaimFinding> claims;
  std::int64_t suspects = 0;     ///< metrics that the screen flagged
  std::int64_t not_planned = 0;  ///< cases
};

/// CLAIMS are those of the current run. DISTRUST: distrust_of() the comparison.
StoredCases judge_stored_cases(const StoredComparison& comparison, const StoredSides& sides,
                               std::vector<reports::ClaimFinding> claims, const std::optional<Distrust>& distrust,
                               policy::CasePolicies& policies, const policy::Policy& policy, Remarks& remarks);

}  // namespace torchgate::gate
