// SPDX-License-Identifier: Apache-2.0
// The two processes of a pair alive at once, of which one works while the other is stopped.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/launch/suite_process.hpp"
#include "harness/launch/turns/turn_plan.hpp"
#include "harness/process/process.hpp"

namespace torchgate::launch {

/// One side of a pair.
struct TurnSide {
  process::Command command;  ///< without --torchgate_turns; its time limit is for what this side works
  std::filesystem::path report;
  std::string label;  ///< "before", "after"
};

/// Runs both sides to their end, as ask_suite() runs one. SEED: of all that is random. Where a side crashes, exits, is silent beyond its
/// limit or answers nonsense, its answer says so, with the place; the other one is ended, and is `not_started` with that reason, since it did not
/// fail itself. The wall time of a side is that of the pair without the work of the other.
std::array<SuiteAnswer, 2> ask_pair(const std::array<TurnSide, 2>& sides, std::vector<TurnCase> cases,
                                    std::uint64_t seed, const TurnLimits& limits = {});

}  // namespace torchgate::launch
