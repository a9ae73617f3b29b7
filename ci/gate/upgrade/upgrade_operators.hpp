// SPDX-License-Identifier: Apache-2.0
// The operators of all cases by name: which of them another LibTorch made slower, faster, or calls another number of times.
#pragma once

#include "ci/gate/evidence/evidence.hpp"
#include "reports/upgrade.hpp"

namespace torchgate::gate {

/// Sets the operators that changed, from the profiles of cases that have one on both sides.
void add_operators(const SideEvidence& before, const SideEvidence& after, reports::Upgrade& upgrade);

}  // namespace torchgate::gate
