// SPDX-License-Identifier: Apache-2.0
// Files that a person named as output.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "harness/base/result.hpp"

namespace torchgate::base {

/// Where the output named PATH is written: PATH itself or, if it is a symbolic link, the file that it leads to, which need not
/// exist. bad_input where that is not a regular file or where another file in its place would not have the same readers: in /dev (but for
/// /dev/shm) and in /proc, such as /dev/stdout, /dev/fd/1 and /proc/self/fd/1.
Result<std::filesystem::path> output_file(const std::filesystem::path& path);

/// Whether output of BYTES could be written as PATH; checked before what takes long or cannot be taken back.
Result<void> check_output_writable(const std::filesystem::path& path, std::int64_t bytes = 4096);

/// write_file_atomically() to that file, which is replaced; a link stays.
Result<void> write_output_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace torchgate::base
