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

/// What makes a benchmark of a format the same as one of another file: the columns of the table in README.md.
struct Identity {
  std::string_view name;        ///< what its name is made of
  std::string_view program;     ///< where the file says which program it is of
  std::string_view same_names;  ///< what tells benchmarks of one name in one program apart
};

struct Format {
  std::string_view name;
  std::string_view
      options;  ///< with which the tool writes such a JSON file itself; empty: it is not JSON, or there are none
  bool (*recognises)(std::string_view head);
  /// All processes in the file; at least one.
  base::Result<std::vector<ImportedProcess>> (*read)(const std::filesystem::path& path);
  Identity identity;
};

std::span<const Format> formats();

/// nullptr: none of them.
const Format* format_of(std::string_view head);

}  // namespace torchgate::import
