// SPDX-License-Identifier: Apache-2.0
// `--vary libtorch`: what another LibTorch does to the same code, from the findings and from the evidence of both sides.
#pragma once

#include "ci/gate/evidence/evidence.hpp"
#include "reports/report.hpp"

namespace torchgate::gate {

/// Fills the upgrade of REPORT, if it has one: accept_varied() began it. OTHER_LIBTORCH: a library of LibTorch that
/// both sides loaded differs; else a doubt says that the comparison shows nothing about LibTorch.
void fill_upgrade(const SideEvidence& before, const SideEvidence& after, bool other_libtorch, reports::Report& report);

}  // namespace torchgate::gate
