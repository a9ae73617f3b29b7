// SPDX-License-Identifier: Apache-2.0
// Verdicts on a metric beside the primary one that need no statistics: the baseline has numbers of it, and this run has
// none that can be compared.
#pragma once

#include "ci/gate/evidence/evidence.hpp"
#include "ci/policy/policy.hpp"
#include "reports/report.hpp"

namespace torchgate::gate {

/// Adds the finding of a metric that the policy judges and that cannot be judged for want of AFTER's numbers: missing or
/// failed. False and nothing added when it can be judged, when BEFORE has no usable numbers either, and for the primary
/// metric, whose state is the case's.
bool add_metric_state(const CaseEvidence& before, const CaseEvidence& after, const record::Metric& metric,
                      const policy::Policy& policy_of_case, reports::Report& report);

}  // namespace torchgate::gate
