// SPDX-License-Identifier: Apache-2.0
// What a file is, by its content.
#pragma once

#include <filesystem>
#include <string>

#include "harness/base/result.hpp"

namespace torchgate::import {

/// Whether the file is in a supported format of another tool, or a folder has results of Criterion. False also if it cannot
/// be opened.
bool is_importable(const std::filesystem::path& path);

/// Whether the file calls itself a run of torchgate, whole or not.
bool is_record(const std::filesystem::path& path);

/// A report of torchgate (`--json`), or one of several versions: not a run.
bool is_report(const std::filesystem::path& path);

/// The first head_bytes of the file, or of what is compressed in it.
base::Result<std::string> head_of(const std::filesystem::path& path);

}  // namespace torchgate::import
