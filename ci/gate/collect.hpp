// SPDX-License-Identifier: Apache-2.0
// The first stage of a stored comparison: which cases there are, what state they are in, and the numbers of those that both
// sides measured.
#pragma once

#include "ci/gate/screened.hpp"

namespace torchgate::gate {

Screened collect(const StoredSides& sides, policy::CasePolicies& policies, const policy::Judging& policy,
                 Remarks& remarks);

/// Both sides' evidence of one metric, with the notes on how it was measured. The decision is open.
Judged compared(const CaseEvidence& before, const CaseEvidence& after, const record::Metric& metric,
                const ProcessValues& before_values, const ProcessValues& after_values);

}  // namespace torchgate::gate
