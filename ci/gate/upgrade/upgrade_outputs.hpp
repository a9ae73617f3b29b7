// SPDX-License-Identifier: Apache-2.0
// Whether a case has another result with another LibTorch, as far as records show it: how far its output is from that of its reference in the
// same build. Equal deviations prove nothing; different ones mean that the output of the case or of its reference changed.
#pragma once

#include "ci/gate/evidence/evidence.hpp"
#include "reports/upgrade.hpp"

namespace torchgate::gate {

/// Sets the cases that were checked on both sides, and those that changed.
void add_output_changes(const SideEvidence& before, const SideEvidence& after, reports::Upgrade& upgrade);

}  // namespace torchgate::gate
