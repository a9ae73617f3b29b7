// SPDX-License-Identifier: Apache-2.0
// Which functions account for a change of a case's instructions.
#pragma once

#include <string>
#include <vector>

#include "harness/record/instruction_count.hpp"
#include "reports/facts/fact.hpp"

namespace torchgate::gate {

/// The functions whose own instructions differ most, the largest difference first, as sentences. A record has the largest functions of a case only:
/// one that is missing on one side had there at most as many as the smallest that it has.
facts::Facts function_changes(const record::InstructionCount& before, const record::InstructionCount& after);

}  // namespace torchgate::gate
