// SPDX-License-Identifier: Apache-2.0
// Google Benchmark's JSON (--benchmark_out_format=json), of versions 1.0 to 1.9: a file is one process, each
// repetition of a benchmark is a sample, aggregates are ignored.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/base/text_source.hpp"
#include "harness/import/imported_process.hpp"

namespace torchgate::import {

/// HEAD is the beginning of such a file.
bool is_google_benchmark(std::string_view head);

/// Reads through a window: beside the numbers, it holds about 4 MB of the text. `where` names it in messages.
base::Result<ImportedProcess> read_google_benchmark(base::TextSource source, const std::string& where);

/// The one process in that file.
base::Result<std::vector<ImportedProcess>> read_google_benchmark_file(const std::filesystem::path& path);

}  // namespace torchgate::import
