// SPDX-License-Identifier: Apache-2.0
// Text that is read piece by piece.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>

#include "harness/base/result.hpp"

namespace torchgate::base {

/// Fills some of SPACE (at least one byte unless at the end) and returns how much; 0 is the end.
using TextSource = std::function<Result<std::size_t>(std::span<char> space)>;

/// The bytes of a file, front to back. not_found if it does not exist.
Result<TextSource> text_of_file(const std::filesystem::path& path);

}  // namespace torchgate::base
