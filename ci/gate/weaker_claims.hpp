// SPDX-License-Identifier: Apache-2.0
// Claims of the baseline that the change removed or loosened: it would keep the promise by giving up on it.
#pragma once

#include <vector>

#include "ci/gate/evidence/evidence.hpp"
#include "harness/record/case.hpp"
#include "reports/report.hpp"

namespace torchgate::gate {

/// What CLAIM promises of which cases; whether it holds is not known yet.
reports::ClaimFinding promised_by(const record::Claim& claim);

/// A broken claim for each one that a group of the baseline makes and the same group of AFTER no longer makes, or makes with a wider limit; of cases
/// that were measured. One that is not claimed now (Claim::not_claimed) is no longer made where nothing of the machines explains it. STORED: the
/// runs of the baseline, the nearest first; the newest that knows of a claim's cases speaks for it. Without an action: the caller's policy decides.
std::vector<reports::ClaimFinding> weaker_claims(const std::vector<SideEvidence>& stored, const SideEvidence& after);

}  // namespace torchgate::gate
