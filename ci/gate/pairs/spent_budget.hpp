// SPDX-License-Identifier: Apache-2.0
// Pairs that ended because their budget was spent: what was not decided by then says so.
#pragma once

#include <vector>

#include "ci/gate/judged.hpp"
#include "ci/policy/policy.hpp"
#include "harness/record/run.hpp"

namespace torchgate::gate {

/// The guard of pairs that ended early: of CASES judged by PAIRS, those that were still open when the budget was spent are
/// inconclusive for that reason, also those whose turn never came, and a note counts them. How many more pairs would be needed
/// stands in the decision already, as far as it can be said. Nothing without a budget.
void guard_spent_budget(std::vector<Judged>& cases, const record::Run& pairs, const policy::CaseGates& policy,
                        Remarks& remarks);

}  // namespace torchgate::gate
