// SPDX-License-Identifier: Apache-2.0
// How a commit may be written by hand: on a command line, and in a waiver.
#pragma once

#include <string_view>

#include "harness/base/hexadecimal.hpp"
#include "harness/record/short_commit.hpp"

namespace torchgate::record {

/// For messages: what is_commit_name() takes.
inline constexpr const char* commit_name_form = "a commit's hash, 7 to 64 hexadecimal digits in lower case";

/// Whether TEXT may be a commit's hash, or the beginning of one. The name of a branch, HEAD and a hash in upper case are none: nothing compares them
/// with a recorded commit.
inline bool is_commit_name(std::string_view text) {
  return text.size() >= fewest_commit_digits && text.size() <= sha256_commit_digits && base::is_lower_hex(text);
}

}  // namespace torchgate::record
