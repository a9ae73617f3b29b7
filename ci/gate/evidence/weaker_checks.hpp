// SPDX-License-Identifier: Apache-2.0
// Checks of the output and of the code path that a change takes away from its own cases, or makes ten times as tolerant.
#pragma once

#include <optional>
#include <string>

#include "ci/gate/evidence/evidence.hpp"

namespace torchgate::gate {

/// "fusion/conv_bn/folded (tolerance 1e-05 before, 10 now)"; absent: what is checked is as strict as it was, or less than ten times as tolerant.
std::optional<std::string> weaker_check(const CaseEvidence& before, const CaseEvidence& after);

}  // namespace torchgate::gate
