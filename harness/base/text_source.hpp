// SPDX-License-Identifier: Apache-2.0
// Text that comes piece by piece.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>

#include "harness/base/result.hpp"

namespace torchgate::base {

/// Fills some of SPACE (at least one byte where there is more) and says how much; 0 is the end.
using TextSource = std::function<Result<std::size_t>(std::span<char> space)>;

/// The bytes of a file, front to back. not_found when there is none.
Result<TextSource> text_of_file(const std::filesystem::path& path);

}  // namespace torchgate::base
