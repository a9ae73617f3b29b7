// SPDX-License-Identifier: Apache-2.0
// Pairs that ended before their answer, because their budget was spent or no pair was expected to give one: the case says which.
#pragma once

#include <vector>

#include "ci/gate/judged.hpp"
#include "ci/policy/policy.hpp"
#include "harness/record/run.hpp"

namespace torchgate::gate {

/// The guard of pairs that ended early: of CASES judged by PAIRS, those that were still open when the budget was spent are
/// inconclusive for that reason, also those whose turn never came, and a note counts them. How many more pairs would be needed
/// stands in the decision already, as far as it can be said. A case that was given up before, because its pairs vary too much for all that were planned, says
/// that instead. Nothing without a budget.
void guard_spent_budget(std::vector<Judged>& cases, const record::Run& pairs, const policy::CaseGates& policy,
                        Remarks& remarks);

}  // namespace torchgate::gate
