// SPDX-License-Identifier: Apache-2.0
// `torchgate --help` and `torchgate COMMAND --help` as text.
#pragma once

#include <cstddef>
#include <string>

#include "ci/cli/command_page.hpp"

namespace torchgate::cli {

/// All commands by purpose, the topics, and what every command takes.
std::string help_page(const CommandPages& pages, std::size_t width);

/// The page of one command, its example first.
std::string command_help(const CommandPage& page, const CommandPages& pages, std::size_t width);

/// "--output, -o FILE", "RUN", "CASE...".
std::string shown_name(const OptionPage& option);

}  // namespace torchgate::cli
