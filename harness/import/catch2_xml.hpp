// SPDX-License-Identifier: Apache-2.0
// Catch2's XML (--reporter xml), of versions 2 and 3: a file is one process. Of a benchmark it has the mean of its samples.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/import/imported_process.hpp"

namespace torchgate::import {

/// HEAD is the beginning of such a file.
bool is_catch2_xml(std::string_view head);

/// The one process in TEXT. bad_input names the line.
base::Result<std::vector<ImportedProcess>> read_catch2_xml(std::string_view text, const std::string& where);

/// What holds of Catch2 in every output: there are no samples in it.
inline constexpr const char* catch2_has_means =
    "Catch2 writes the mean of a benchmark and not its samples, so each case has one value per process and no spread; "
    "measure in several processes, each into its own file";
inline constexpr const char* catch2_note = "the file has only the mean of its samples";
inline constexpr const char* catch2_protocol = "catch2/1";
/// Of a benchmark whose test case failed, and WHY, which may be empty.
std::string catch2_test_failed(std::string_view why);

}  // namespace torchgate::import
