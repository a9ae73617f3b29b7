// SPDX-License-Identifier: Apache-2.0
// What is wrong with a command line, in one sentence that names the fix.
#pragma once

#include <string>
#include <vector>

#include "ci/cli/command_page.hpp"

namespace torchgate::cli {

/// A command line that cannot be run.
struct UsageError {
  std::string command;                 ///< "baseline add"; empty: none was recognised
  std::string problem;                 ///< what the parser says
  std::vector<std::string> left_over;  ///< arguments that it could not place
  std::vector<std::string> missing;    ///< required arguments and options that are absent, as they are shown
};

/// "torchgate: gate: unknown option --verbos; did you mean --verbose?" and a line break. A word that nothing takes is named first: what is
/// missing is often what was mistyped.
std::string usage_message(const UsageError& error, const CommandPages& pages);

}  // namespace torchgate::cli
