// SPDX-License-Identifier: Apache-2.0
// Two processes of Google Benchmark programs that take turns, though they know of none.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "harness/launch/foreign/benchmark_process.hpp"

namespace torchgate::launch {

/// What a process of each side found out before the first pair of a family.
struct BenchmarkProbe {
  double longest_call_s = 0;  ///< of its benchmarks
  bool one_thread = false;    ///< no thread but the main one worked
};

/// Of calls longer than this several would have to fit into a turn that is longer than neighbours work: their processes run one after the other.
inline constexpr double longest_call_in_turns_s = 0.1;

/// Runs JOB once, as short as it can be. Absent: it failed, or has results without a time.
std::optional<BenchmarkProbe> probe_benchmarks(const process::Command& command, BenchmarkJob job,
                                               const std::filesystem::path& scratch);

/// One side of a pair.
struct BenchmarkSide {
  process::Command command;  ///< its time limit is for what this side works
  BenchmarkJob job;
  std::filesystem::path scratch;  ///< a new folder
  std::string label;              ///< "before", "after"
};

/// Runs both, in turns (turns/alternation.hpp) of four of the longest calls or more, on one CPU where no thread but the main one works. Where one
/// fails, the other one is ended, and is `not_started` with that reason, since it did not fail itself. SEED: for what is random.
std::array<SuiteAnswer, 2> run_benchmark_pair(std::array<BenchmarkSide, 2> sides, const BenchmarkProbe& probe,
                                              std::uint64_t seed);

}  // namespace torchgate::launch
