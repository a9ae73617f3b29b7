// SPDX-License-Identifier: Apache-2.0
// One conversation with a program that is no suite of ours, but was written with Google Benchmark: its own flags in, its own
// JSON out, and an answer as a suite of ours would have given it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "harness/launch/foreign/benchmark_listing.hpp"
#include "harness/launch/suite_process.hpp"
#include "harness/process/process.hpp"

namespace torchgate::launch {

/// Told to a program that ignores the flags it does not know, when it is asked something: it lists, and measures nothing.
inline const record::Parameter list_only{"BENCHMARK_LIST_TESTS", "true"};

/// Where harness/bench/raw_samples.hpp writes to, if the program uses it.
inline constexpr const char* samples_variable = "TORCHGATE_SAMPLES";

struct BenchmarkAnswer {
  SuiteAnswer answer;                               ///< its listing; not ok: why this is no Google Benchmark program
  std::shared_ptr<const BenchmarkProgram> program;  ///< present exactly when answer.status is ok
};

/// Asks COMMAND.executable what it has, under the name SUITE. COMMAND has environment and limit, its arguments are ours to
/// choose. Two or three starts; none of them measures anything.
BenchmarkAnswer list_benchmarks(process::Command command, const std::string& suite, const std::string& profile,
                                const std::filesystem::path& scratch);

/// Measures CASES of PROGRAM (of one family) with the filter that finds all of FILTERED. SCRATCH is a new folder, and its only
/// use.
SuiteAnswer run_benchmarks(process::Command command, const BenchmarkProgram& program,
                           const std::vector<std::string>& cases, const std::vector<std::string>& filtered,
                           const std::string& profile, const std::filesystem::path& scratch);

}  // namespace torchgate::launch
