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
  double longest_repetition_s =
      0;  ///< of those of the probe: a benchmark may have a number of iterations, or a time, of its own
  /// How long a repetition takes, as a ratio to the time that Google Benchmark measures it by, the longest of its benchmarks. That is CPU time
  /// unless the benchmark asks for another clock: one that waits for 9 ms and works for 50 us takes 180 times as long.
  double wall_ratio = 1;
  bool one_thread = false;  ///< no thread but the main one worked
};

/// What holds for both.
BenchmarkProbe joined(const BenchmarkProbe& one, const BenchmarkProbe& other);

/// How long a repetition takes when the family is measured with TIMES.
double longest_repetition_s(const BenchmarkProbe& probe, const BenchmarkTimes& times);

/// Of repetitions longer than this several would have to fit into a turn that is longer than neighbours work: their processes run one after the other.
inline constexpr double longest_repetition_in_turns_s = 0.1;

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

/// Runs both, in turns (turns/alternation.hpp) of four of the longest repetitions or more, on one CPU where no thread but the main one works. Where one
/// fails, the other one is ended, and is `not_started` with that reason, since it did not fail itself. SEED: for what is random.
std::array<SuiteAnswer, 2> run_benchmark_pair(std::array<BenchmarkSide, 2> sides, const BenchmarkProbe& probe,
                                              std::uint64_t seed);

}  // namespace torchgate::launch
