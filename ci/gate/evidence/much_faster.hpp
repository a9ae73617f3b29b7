// SPDX-License-Identifier: Apache-2.0
// Improvements that are more likely another unit, other work or a calculation that the compiler removed: a time has bounds (usable_result.hpp), a rate
// or a time per item has none.
#pragma once

#include "ci/gate/evidence/evidence.hpp"
#include "reports/facts/fact.hpp"

namespace torchgate::gate {

/// A doubt about imported runs: cases of which a metric that is judged by itself is better by more than a factor of 1000. Empty: none.
facts::Fact much_faster(const SideEvidence& before, const SideEvidence& after);

}  // namespace torchgate::gate
