// SPDX-License-Identifier: Apache-2.0
// Runs a program that is not a torchgate suite, but was written with Google Benchmark: passes its own flags, reads
// its own JSON, and returns an answer like that of a suite.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "harness/import/directions.hpp"
#include "harness/launch/foreign/benchmark_listing.hpp"
#include "harness/launch/suite_process.hpp"
#include "harness/machine/objects_of_process.hpp"
#include "harness/process/process.hpp"

namespace torchgate::launch {

/// Set when listing, for programs that ignore unknown flags: they list, and measure nothing.
inline const record::Parameter list_only{"BENCHMARK_LIST_TESTS", "true"};

/// Where harness/bench/raw_samples.hpp writes to, if the program uses it.
inline constexpr const char* samples_variable = "TORCHGATE_SAMPLES";

struct BenchmarkAnswer {
  SuiteAnswer answer;                               ///< its listing; not ok: why this is not a Google Benchmark program
  std::shared_ptr<const BenchmarkProgram> program;  ///< present exactly when answer.status is ok
};

/// Lists the benchmarks of COMMAND.executable, under the name SUITE. COMMAND has environment and limit, which
/// holds for all starts together; its arguments are set here. More names than a record may have are a bad report. Two or three starts; none of them measures anything.
BenchmarkAnswer list_benchmarks(const process::Command& command, const std::string& suite, const std::string& profile,
                                const std::filesystem::path& scratch);

/// What one process of PROGRAM measures: CASES (of one family), with the filter that finds all of FILTERED.
struct BenchmarkJob {
  const BenchmarkProgram* program = nullptr;
  std::vector<std::string> cases;
  std::vector<std::string> filtered;
  BenchmarkTimes times;
  import::Directions better = {};  ///< what the user says of the program's counters
  bool in_turns = false;           ///< its repetitions are the turns of a pair
};

/// COMMAND with the arguments of JOB; its report goes to SCRATCH, a new folder, and its only use.
process::Command benchmark_command(process::Command command, const BenchmarkJob& job,
                                   const std::filesystem::path& scratch);
/// Where that report is.
std::filesystem::path benchmark_report(const std::filesystem::path& scratch);

/// Reads the report of JOB. OBJECTS: what was seen of its process (Command::look).
AnswerReader benchmark_reader(const BenchmarkJob& job, const machine::ObjectsOfProcess& objects,
                              const std::filesystem::path& scratch);

/// Runs JOB by itself.
SuiteAnswer run_benchmarks(const process::Command& command, const BenchmarkJob& job,
                           const std::filesystem::path& scratch);

}  // namespace torchgate::launch
