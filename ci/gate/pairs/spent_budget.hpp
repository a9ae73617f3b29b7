// SPDX-License-Identifier: Apache-2.0
// Pairs that ended because their budget was spent: what was not decided by then says so.
#pragma once

#include "ci/policy/policy.hpp"
#include "harness/record/run.hpp"
#include "reports/report.hpp"

namespace torchgate::gate {

/// Of REPORT on PAIRS: cases that were still open when the budget was spent are inconclusive for that reason, also those
/// whose turn never came, and a note counts them. How many more pairs would be needed stands in the finding already, as far
/// as it can be said. Nothing without a budget.
void mention_spent_budget(reports::Report& report, const record::Run& pairs, const policy::Policy& policy);

}  // namespace torchgate::gate
