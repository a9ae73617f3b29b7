// SPDX-License-Identifier: Apache-2.0
// Measuring a run, for `run` itself and for `gate` where it needs one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "ci/cli/console.hpp"
#include "ci/policy/policy.hpp"
#include "ci/workflow/measure/effort.hpp"
#include "harness/base/result.hpp"
#include "harness/launch/request.hpp"
#include "harness/record/run.hpp"

namespace torchgate::cli {

struct RunCommand {
  std::vector<std::string> suites;
  workflow::Effort measure;
  std::optional<std::string> save;
  std::optional<std::string> shard;    ///< "i/n": one part of the groups
  std::optional<std::int64_t> shards;  ///< write a plan for so many, and measure nothing
  std::optional<std::string> plan;     ///< the file of that plan
  std::optional<std::string> resume;   ///< an unfinished run; empty: the only one
  bool run_recorded_files = false;     ///< with resume: what the record names, wherever it is from
  bool skip_unchanged = false;         ///< groups that are what they were in the baseline
  std::optional<std::string> log;      ///< append JSON lines there while measuring
  bool list = false;
  bool json = false;
};

/// What COMMAND asks for: suites, one shard of them, or the rest of an unfinished run. bad_input: flags that do not go together, no
/// suites, or a name of --save that is none.
base::Result<launch::Request> run_request(const RunCommand& command, const policy::Policy& policy);

struct MeasuredRun {
  record::Run run;
  std::filesystem::path path;  ///< of its record
};

/// Measures REQUEST, which COMMAND asked for, and saves it.
base::Result<MeasuredRun> measured_run(launch::Request request, const RunCommand& command, const policy::Policy& policy,
                                       const Console& console);

}  // namespace torchgate::cli
