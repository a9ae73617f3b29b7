// SPDX-License-Identifier: Apache-2.0
// Metrics beside the primary one that a case no longer has.
#pragma once

#include <vector>

#include "ci/gate/judged.hpp"
#include "ci/policy/policy.hpp"

namespace torchgate::gate {

/// Timed metrics that the policy gates, or that the case declared, and that it no longer has (missing), or counts now, or has of another clock and
/// no longer declares (not_comparable; where only its samples differed before, exact_metrics.hpp compares it). That one followed the time says nothing: of a
/// benchmark that runs for a fixed time it was all there is.
std::vector<Judged> removed_metrics(const CaseEvidence& before, const CaseEvidence& after,
                                    const policy::CaseSettings& own);

}  // namespace torchgate::gate
