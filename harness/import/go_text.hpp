// SPDX-License-Identifier: Apache-2.0
// Go's benchmark format, as `go test -bench` prints it and benchstat reads it, and the events of `go test -json`.
// Each `go test` of a package is a process: its heading (goos:, pkg:) or its PASS ends the one before it. Each line is a sample.
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
bool is_go_text(std::string_view head);

/// The processes in TEXT, read line by line. bad_input names the line.
base::Result<std::vector<ImportedProcess>> read_go_text(base::TextSource text, const std::string& where);

/// The same of a file.
base::Result<std::vector<ImportedProcess>> read_go_file(const std::filesystem::path& path);

}  // namespace torchgate::import
