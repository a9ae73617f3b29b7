// SPDX-License-Identifier: Apache-2.0
// What Catch2's console reporter prints of benchmarks, versions 2 and 3, with and without --benchmark-no-analysis: a file is
// one process. Times are rounded to six digits.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/import/imported_process.hpp"

namespace torchgate::import {

/// HEAD is the beginning of such a file.
bool is_catch2_console(std::string_view head);

/// The one process in TEXT. bad_input names the line.
base::Result<std::vector<ImportedProcess>> read_catch2_console(std::string_view text, const std::string& where);

}  // namespace torchgate::import
