// SPDX-License-Identifier: Apache-2.0
// How a commit is abbreviated in messages, file names and tables.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace torchgate::record {

/// Unique in large repositories, as git abbreviates there. File names in stores contain this many digits: a change makes
/// stored runs unreadable.
inline constexpr std::size_t short_commit_digits = 12;

/// The first digits of COMMIT. A shorter name is returned unchanged.
inline std::string short_commit(std::string_view commit) {
  return std::string(commit.substr(0, short_commit_digits));
}

}  // namespace torchgate::record
