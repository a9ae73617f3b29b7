// SPDX-License-Identifier: Apache-2.0
// Classes of characters of JSON text.
#pragma once

#include <array>
#include <cstddef>

namespace torchgate::json {

inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

inline constexpr std::array<bool, 256> plain_bytes = [] {
  std::array<bool, 256> plain{};
  for (std::size_t byte = 0x20; byte < 0x80; ++byte) plain[byte] = byte != '"' && byte != '\\';
  return plain;
}();

/// A character that is not escaped inside a JSON string and needs no further check.
constexpr bool is_plain(char c) {
  return plain_bytes[static_cast<unsigned char>(c)];
}

}  // namespace torchgate::json
