// SPDX-License-Identifier: Apache-2.0
// Combines the results of several ranks into one.
#pragma once

#include <optional>
#include <string>

#include "harness/bench/observation.hpp"
#include "harness/bench/output.hpp"
#include "harness/bench/ranks/world.hpp"
#include "harness/record/process.hpp"

namespace torchgate::bench {

/// Outputs of ranks that did the same may differ by this relative L2 distance; a sum is the same on all of them to the bit
/// with most algorithms, but need not be.
inline constexpr double rank_tolerance = 1e-6;

/// The message of a case that failed here only because it failed on another rank (RankAhead).
inline constexpr const char* followed_another = "it failed on another rank";

/// Ends a stage of a case: called by all ranks, also those whose own work has failed. All of them then have the worst
/// status, with the message of the first rank that has it ("rank 1: ran out of memory"). True when all are
/// ok. In a world of one it returns whether `result` is ok.
bool agree(World& world, record::CaseResult& result);

/// Every count is the largest of all ranks'; absent where one of them does not have it. Counts by operator are our own.
Observation largest_of(World& world, const Observation& mine);

/// The problem if the ranks' outputs differ: "its output differs between rank 0 and rank 1 by ...".
/// Absent if they are equal, and in a world of one.
std::optional<std::string> differs_between_ranks(World& world, const Output& mine);

}  // namespace torchgate::bench
