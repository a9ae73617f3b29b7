// SPDX-License-Identifier: Apache-2.0
// How a commit is named: by its full hash, and abbreviated in messages, file names and tables.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "harness/base/hexadecimal.hpp"

namespace torchgate::record {

/// Unique in large repositories, as git abbreviates there. File names in stores contain this many digits: a change makes
/// stored runs unreadable.
inline constexpr std::size_t short_commit_digits = 12;

/// The first digits of COMMIT. A shorter name is returned unchanged.
inline std::string short_commit(std::string_view commit) {
  return std::string(commit.substr(0, short_commit_digits));
}

/// A shorter beginning of a hash names no commit: `git log --oneline` prints as many.
inline constexpr std::size_t fewest_commit_digits = 7;

inline constexpr std::size_t sha1_commit_digits = 40;
inline constexpr std::size_t sha256_commit_digits = 64;

/// A full hash: 40 or 64 hexadecimal digits in lower case.
inline bool is_full_commit(std::string_view text) {
  return (text.size() == sha1_commit_digits || text.size() == sha256_commit_digits) && base::is_lower_hex(text);
}

}  // namespace torchgate::record
