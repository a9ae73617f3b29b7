// SPDX-License-Identifier: Apache-2.0
// The data of github-action-benchmark: "data.js" (window.BENCHMARK_DATA = {...}), the same as JSON (external-data-json-path),
// and the list of entries that its tools customSmallerIsBetter and customBiggerIsBetter read. The newest entry of each suite
// is imported. Its values have no spread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/import/imported_process.hpp"

namespace torchgate::import {

/// HEAD is the beginning of such a file.
bool is_action_benchmark(std::string_view head);

/// The one process in TEXT. bad_input names the place.
base::Result<std::vector<ImportedProcess>> read_action_benchmark(std::string_view text, const std::string& where);

}  // namespace torchgate::import
