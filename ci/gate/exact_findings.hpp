// SPDX-License-Identifier: Apache-2.0
// Exact metrics: no test. What differs has changed.
#pragma once

#include <vector>

#include "ci/gate/evidence/evidence.hpp"
#include "ci/policy/policy.hpp"
#include "reports/report.hpp"

namespace torchgate::gate {

/// One `changed` finding for each exact metric that both sides know and that differs. With another LibTorch the
/// differences are its own: they are listed only. `policy` is the case's own, and its `metrics` say what a metric does. Under --rule exact a case without a difference has one `equivalent`.
std::vector<reports::Finding> exact_findings(const CaseEvidence& before, const CaseEvidence& after,
                                             const policy::Policy& policy, bool other_libtorch);

}  // namespace torchgate::gate
