// SPDX-License-Identifier: Apache-2.0
// torchgate(1), made from the table of commands and the topics of the help.
#pragma once

#include <string>

#include "ci/cli/command_page.hpp"

namespace torchgate::cli {

/// In the macros of man(7).
std::string manual_page(const CommandPages& pages);

}  // namespace torchgate::cli
