// SPDX-License-Identifier: Apache-2.0
// The numbers of instructions of two sides: which of them may be compared, and how far they repeat.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "harness/record/run.hpp"
#include "reports/facts/fact.hpp"

namespace torchgate::gate {

/// One side of a run.
struct RunSide {
  const record::Run* run = nullptr;
  std::int64_t side = 0;
};

/// A fact of a side's machine or processes: what the suites of the two sides of a run say differently, it has for each of them. nullptr: not known.
const std::string* fact_of(const RunSide& side, std::string_view name);

/// The counts of a side by case, also unknown ones. They belong to its run.
std::map<std::string_view, const record::InstructionCount*> counts_of(const RunSide& side);

/// Why no count of these sides may be compared: they were counted over another number of calls, with another LibTorch, C library or setting. A
/// change of those is not one of the code under test. (Another CPU, number of CPUs or threads, or allocator is another host, and never
/// compared at all.)
std::optional<facts::Fact> counts_not_comparable(const RunSide& before, const RunSide& after);

/// The same of one case, both counts of which are known: another counter, or kernels for another CPU.
std::optional<facts::Fact> counts_not_comparable(const record::InstructionCount& before,
                                                 const record::InstructionCount& after);

/// Of its processes. REQUIRES: known.
double median_count(const record::InstructionCount& count);

/// Largest over smallest, minus 1, of the processes of a side; absent: fewer than two.
std::optional<double> spread_of(const record::InstructionCount& count);

}  // namespace torchgate::gate
