// SPDX-License-Identifier: Apache-2.0
// The suite as a Google Benchmark program: the same cases and measurements, with its flags, output and tools.
#pragma once

#include <string>
#include <vector>

#include "harness/bench/program/suite_options.hpp"
#include "harness/bench/run/backend.hpp"
#include "harness/bench/run/group_cases.hpp"

namespace torchgate::bench {

/// Runs the cases selected by Google Benchmark's flags. Cases that cannot run here are not registered (its tools
/// would read a skipped case as an error and an error as a speed-up); they are listed in the context. Returns the
/// exit code.
int run_google_benchmark(const std::vector<GroupCases>& groups, Backend& backend, const SuiteOptions& options);

}  // namespace torchgate::bench
