// SPDX-License-Identifier: Apache-2.0
// Measurements that stand in the files or records of both sides: a copy with another date, a file named on both sides, or the result of an
// earlier run that nothing has overwritten. Measuring again never gives the same noise.
#pragma once

#include <cstddef>
#include <unordered_set>

#include "ci/gate/evidence/evidence.hpp"

namespace torchgate::gate {

/// The launcher gave each process of SIDE a seed, as torchgate's does: 0 is the seed of other tools' processes.
bool has_seeds(const CaseEvidence& side);

/// How many processes of AFTER have samples of the primary metric that are, bit for bit and in their order, those of a process of BEFORE with the same seed;
/// where a process of either side has no samples (they are in a file of their own), how many have the same summary. 0 where that can be chance
/// (probability above about 1e-9): values that do not vary, or have few digits. Results with a time of their own (record::CaseResult::measured_at) are
/// the same with any digits.
std::size_t copied_processes(const CaseEvidence& before, const CaseEvidence& after);

/// Processes whose cases all have the numbers of one process of the baseline. A file with one value of a few digits for each case says too little about
/// any of them, and enough about all of them together.
class CopiedProcesses {
 public:
  CopiedProcesses() = default;
  CopiedProcesses(const SideEvidence& before, const SideEvidence& after);

  /// How many of the measured processes of AFTER, a case of the after side, are such copies. 0 where that can be chance, as of copied_processes().
  [[nodiscard]] std::size_t among(const CaseEvidence& after) const;

 private:
  std::unordered_set<const record::Process*> copies_;
};

/// One process of SIDE is recorded more than once: another one has its numbers, in the same way, whatever their seeds are. false for processes
/// of other tools, whose files cannot be named twice.
bool has_repeated_process(const CaseEvidence& side);

}  // namespace torchgate::gate
