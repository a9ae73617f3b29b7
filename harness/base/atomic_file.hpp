// SPDX-License-Identifier: Apache-2.0
// Files that are written completely or not at all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "harness/base/links.hpp"
#include "harness/base/result.hpp"

namespace torchgate::base {

/// A whole regular file, at most `limit_bytes` of it: larger is an error, not a truncated string. Pipes, devices and sockets
/// are bad_input.
Result<std::string> read_file(const std::filesystem::path& path, std::int64_t limit_bytes,
                              Links links = Links::followed);

/// Writes a temporary file in the same folder, syncs it, puts it in place (rename when `replace`, else link, which fails
/// when PATH exists) and syncs the folder. On any failure PATH is unchanged and no temporary file remains.
Result<void> write_file_atomically(const std::filesystem::path& path, std::string_view bytes, bool replace);

}  // namespace torchgate::base
