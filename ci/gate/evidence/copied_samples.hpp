// SPDX-License-Identifier: Apache-2.0
// Measurements that stand in the files or records of both sides: a copy with another date, a file named on both sides, or the result of an
// earlier run that nothing has overwritten. Measuring again never gives the same noise.
#pragma once

#include <cstddef>

#include "ci/gate/evidence/evidence.hpp"

namespace torchgate::gate {

/// The launcher gave each process of SIDE a seed, as torchgate's does: 0 is the seed of other tools' processes.
bool has_seeds(const CaseEvidence& side);

/// How many processes of AFTER have samples of the primary metric that are, bit for bit and in their order, those of a process of BEFORE with the same seed;
/// where a process of either side has no samples (they are in a file of their own), how many have the same summary. 0 where that can be chance
/// (probability above about 1e-9): values that do not vary, or have few digits.
std::size_t copied_processes(const CaseEvidence& before, const CaseEvidence& after);

/// One process of SIDE is recorded more than once: another one has its numbers, in the same way, whatever their seeds are. false for processes
/// of other tools, whose files cannot be named twice.
bool has_repeated_process(const CaseEvidence& side);

}  // namespace torchgate::gate
