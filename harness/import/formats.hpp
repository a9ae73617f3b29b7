// SPDX-License-Identifier: Apache-2.0
// The one list of formats that can be imported.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/import/imported_process.hpp"

namespace torchgate::import {

/// How much of the beginning of a file is passed to `recognises`.
inline constexpr std::size_t head_bytes = std::size_t{64} << 10U;

struct Format {
  std::string_view name;
  bool (*recognises)(std::string_view head);
  /// All processes in the file; at least one.
  base::Result<std::vector<ImportedProcess>> (*read)(const std::filesystem::path& path);
};

std::span<const Format> formats();

/// nullptr: none of them.
const Format* format_of(std::string_view head);

}  // namespace torchgate::import
