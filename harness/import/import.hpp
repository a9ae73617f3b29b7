// SPDX-License-Identifier: Apache-2.0
// Other tools' result files as runs. The format is recognised by its content; README.md says what becomes of what.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/record/run.hpp"

namespace torchgate::import {

/// Plan::profile of an imported run: nobody knows what it was asked to measure, so nothing can measure it again.
inline constexpr const char* imported_profile = "imported";

/// The file is in a format of another tool that can be read. False also where it cannot be opened.
bool is_importable(const std::filesystem::path& path);

/// One run of all FILES (at least one), each of them a process or several: with raw samples, an id made of the content (same
/// files in any order, same run), and machine facts as far as the files have them. The host key is always empty.
/// bad_input: a file that is malformed, cut short, of no known format, or without a measurement; files that cannot be of one
/// run. not_found, io: as the operating system says.
base::Result<record::Run> import_run(const std::vector<std::filesystem::path>& files, const std::string& tool_version);

}  // namespace torchgate::import
