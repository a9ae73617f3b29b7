// SPDX-License-Identifier: Apache-2.0
// The whole program but main(): what tests call.
#pragma once

#include <string>
#include <vector>

#include "ci/cli/console.hpp"

namespace torchgate::cli {

/// `arguments` without the program's name.
ExitCode run_program(const std::vector<std::string>& arguments, const Console& console);

}  // namespace torchgate::cli
