// SPDX-License-Identifier: Apache-2.0
// The last output of a process, made safe for a record.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace torchgate::launch {

inline constexpr std::size_t last_words_lines = 20;
inline constexpr std::size_t last_words_bytes = 4000;  ///< a record's strings are read with a limit

/// The last 20 lines, at most 4000 bytes, of OUTPUT as valid UTF-8: terminal escape sequences and control characters
/// are removed, bytes that are not UTF-8 become '?'. Empty lines at the end do not count.
std::string last_words(std::string_view output);

}  // namespace torchgate::launch
