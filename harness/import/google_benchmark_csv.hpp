// SPDX-License-Identifier: Apache-2.0
// Google Benchmark's CSV (--benchmark_out_format=csv): the rows of its JSON without context and without the number of a
// repetition. Rows of one name are its repetitions, in the order of the file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/import/imported_process.hpp"

namespace torchgate::import {

/// HEAD is the beginning of such a file.
bool is_google_benchmark_csv(std::string_view head);

/// The one process in TEXT. bad_input names the line.
base::Result<std::vector<ImportedProcess>> read_google_benchmark_csv(std::string_view text, const std::string& where);

}  // namespace torchgate::import
