// SPDX-License-Identifier: Apache-2.0
// pytest-benchmark's JSON (--benchmark-json, --benchmark-save), of versions 2 to 5: a file is one process. With
// --benchmark-save-data each round is a sample; without, only the median of the rounds is known.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/import/imported_process.hpp"

namespace torchgate::import {

/// HEAD is the beginning of such a file.
bool is_pytest_benchmark(std::string_view head);

/// The one process in TEXT. bad_input names the place.
base::Result<std::vector<ImportedProcess>> read_pytest_benchmark(std::string_view text, const std::string& where);

}  // namespace torchgate::import
