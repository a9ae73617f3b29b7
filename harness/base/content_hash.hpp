// SPDX-License-Identifier: Apache-2.0
// SHA-256 of bytes and of files: what names a samples file and a kept object.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "harness/base/result.hpp"

namespace torchgate::base {

/// Lower-case hex, 64 characters.
std::string sha256(std::string_view bytes);

/// The same of a file's content, read in pieces. io or not_found when it cannot be read.
Result<std::string> sha256_of_file(const std::filesystem::path& path);

/// The same of an open file, from its beginning; its read position is neither used nor changed. PATH names it in
/// messages.
Result<std::string> sha256_of_descriptor(int descriptor, const std::filesystem::path& path);

}  // namespace torchgate::base
