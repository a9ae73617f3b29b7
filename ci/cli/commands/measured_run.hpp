// SPDX-License-Identifier: Apache-2.0
// Measuring a run, for `run` itself and for `gate` where it needs one.
#pragma once

#include <filesystem>

#include "ci/cli/arguments.hpp"
#include "ci/cli/console.hpp"
#include "ci/policy/policy.hpp"
#include "harness/base/result.hpp"
#include "harness/launch/request.hpp"
#include "harness/record/run.hpp"

namespace torchgate::cli {

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
