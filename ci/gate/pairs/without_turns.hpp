// SPDX-License-Identifier: Apache-2.0
// Cases whose processes were measured one after the other within a pair, though pairs take turns where they can.
#pragma once

#include <vector>

#include "ci/gate/judged.hpp"

namespace torchgate::gate {

/// A note with their number, their kinds and what follows from it. None where no case could have taken turns: a suite of an older version, or a program
/// that knows no turns.
void mention_without_turns(const std::vector<Judged>& cases, Remarks& remarks);

}  // namespace torchgate::gate
