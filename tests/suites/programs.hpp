// SPDX-License-Identifier: Apache-2.0
// Starts suites as programs, as torchgate and a user of Google Benchmark do.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/record/process.hpp"

namespace torchgate::suites::testing {

struct Ended {
  int exit_code = -1;
  std::string output;  ///< stdout and stderr
};

/// A shell command, which is made of the test's own constants.
Ended run(const std::string& command);

/// The same as so many processes, with the environment that torchrun gives them; the first one's exit code.
Ended run_as_ranks(std::int64_t ranks, const std::string& command);

/// What a suite wrote; throws if it cannot be read.
record::ProcessReport report_of(const std::filesystem::path& path);

/// The names of all suites that CMake found.
std::vector<std::string> suite_names();

/// The executable of a suite.
std::string program(const std::string& suite);

/// What a suite lists in PROFILE ("full" has every group and case); throws if it cannot.
record::ProcessReport listing_of(const std::string& suite, const std::string& profile);

}  // namespace torchgate::suites::testing
