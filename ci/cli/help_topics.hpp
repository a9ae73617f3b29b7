// SPDX-License-Identifier: Apache-2.0
// The topics of `torchgate help`. Each is made from the table that the program itself obeys: verdicts, exit codes, keys of the policy.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "ci/cli/command_page.hpp"

namespace torchgate::cli {

struct HelpTopic {
  const char* name;   ///< "exit-codes"
  const char* about;  ///< one line
  std::string (*text)(const CommandPages&, std::size_t width);
};

/// In the order of `torchgate --help`.
std::span<const HelpTopic> help_topics();

/// nullptr: no topic has this name.
const HelpTopic* find_topic(std::string_view name);

}  // namespace torchgate::cli
