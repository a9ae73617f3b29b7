// SPDX-License-Identifier: Apache-2.0
// Well-formed UTF-8 (Unicode 15, table 3-7): what a JSON string may consist of.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace torchgate::base {

/// Length in bytes of the well-formed character that starts at `position`; 0 when there is none (overlong form,
/// surrogate, above U+10FFFF, truncated).
inline std::size_t utf8_length(std::string_view text, std::size_t position) {
  const auto byte = [&](std::size_t offset) -> unsigned {
    return position + offset < text.size() ? static_cast<unsigned char>(text[position + offset]) : 0U;
  };
  const auto continues = [&](std::size_t offset, unsigned least = 0x80U, unsigned most = 0xBFU) {
    return byte(offset) >= least && byte(offset) <= most;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80U) return position < text.size() ? 1 : 0;
  if (lead >= 0xC2U && lead <= 0xDFU) return continues(1) ? 2 : 0;
  if (lead >= 0xE0U && lead <= 0xEFU) {
    const unsigned least = lead == 0xE0U ? 0xA0U : 0x80U;
    const unsigned most = lead == 0xEDU ? 0x9FU : 0xBFU;
    return continues(1, least, most) && continues(2) ? 3 : 0;
  }
  if (lead >= 0xF0U && lead <= 0xF4U) {
    const unsigned least = lead == 0xF0U ? 0x90U : 0x80U;
    const unsigned most = lead == 0xF4U ? 0x8FU : 0xBFU;
    return continues(1, least, most) && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

/// Bytes from POSITION on that are characters of ASCII with a shape, a space among them: one byte, one column, nothing to escape.
inline std::size_t printable_ascii_length(std::string_view text, std::size_t position) {
  const std::size_t begin = position;
  while (position < text.size() && text[position] >= ' ' && text[position] < '\x7F') ++position;
  return position - begin;
}

/// Stands for what is not UTF-8, and for what may not be shown.
inline constexpr char32_t replacement_character = 0xFFFD;

/// One decoded character of UTF-8. Malformed bytes come out one at a time as U+FFFD.
struct CodePoint {
  char32_t value = 0;
  std::size_t bytes = 0;  ///< how many bytes of the text it took
};

/// REQUIRES: at < text.size().
inline CodePoint decode_utf8(std::string_view text, std::size_t at) {
  constexpr std::array<unsigned, 5> bits_of_lead{0, 0x7FU, 0x1FU, 0x0FU, 0x07U};  // by the length of the character
  const std::size_t length = utf8_length(text, at);
  if (length == 0) return {replacement_character, 1};
  char32_t value = static_cast<unsigned char>(text[at]) & bits_of_lead[length];
  for (std::size_t offset = 1; offset < length; ++offset)
    value = (value << 6U) | (static_cast<unsigned char>(text[at + offset]) & 0x3FU);
  return {value, length};
}

inline void append_utf8(std::string& text, char32_t value) {
  const auto put = [&](char32_t bits) { text.push_back(static_cast<char>(static_cast<unsigned char>(bits))); };
  if (value < 0x80) {
    put(value);
  } else if (value < 0x800) {
    put(0xC0U | (value >> 6U));
    put(0x80U | (value & 0x3FU));
  } else if (value < 0x10000) {
    put(0xE0U | (value >> 12U));
    put(0x80U | ((value >> 6U) & 0x3FU));
    put(0x80U | (value & 0x3FU));
  } else {
    put(0xF0U | (value >> 18U));
    put(0x80U | ((value >> 12U) & 0x3FU));
    put(0x80U | ((value >> 6U) & 0x3FU));
    put(0x80U | (value & 0x3FU));
  }
}

}  // namespace torchgate::base
