// SPDX-License-Identifier: Apache-2.0
// Criterion.rs's files: "sample.json" (iterations and times of each sample), "estimates.json" (mean, median) and
// "benchmark.json" (names) in one folder per benchmark, target/criterion/**/new.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/import/imported_process.hpp"

namespace torchgate::import {

/// HEAD is the beginning of one of the three files.
bool is_criterion(std::string_view head);

/// A folder below which Criterion left results: target/criterion, a group or a benchmark in it.
bool is_criterion_folder(const std::filesystem::path& folder);

/// The one process whose results are in FILE and in the files beside it, or in the folders "new" below PATH. `base`
/// beside `new` has what the run before wrote: name such a folder itself to import it.
base::Result<std::vector<ImportedProcess>> read_criterion(const std::filesystem::path& path);

/// What the texts of one folder say; an empty one: no such file. NAME: where "benchmark.json" is missing.
base::Result<ImportedCase> read_criterion_benchmark(std::string_view benchmark, std::string_view estimates,
                                                    std::string_view sample, const std::string& where,
                                                    const std::string& name);

}  // namespace torchgate::import
