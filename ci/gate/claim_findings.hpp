// SPDX-License-Identifier: Apache-2.0
// Whether the groups of a run keep their promises, by what was measured in the same processes.
#pragma once

#include <vector>

#include "ci/gate/evidence/evidence.hpp"
#include "ci/policy/policy.hpp"
#include "reports/report.hpp"

namespace torchgate::gate {

/// All claims of the run on that side, broken ones first; a broken one does what its case's policy says. Those about times are
/// judged together (stats/claim.hpp). Claims of STORED, the runs of the baseline, that the run gave up or loosened are broken ones.
std::vector<reports::ClaimFinding> claim_findings(const SideEvidence& side, const policy::CaseGates& policy,
                                                  const std::vector<SideEvidence>& stored = {});

}  // namespace torchgate::gate
