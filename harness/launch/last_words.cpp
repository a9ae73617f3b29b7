// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/last_words.hpp"

#include <algorithm>

namespace torchgate::launch {
namespace {

bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U;
}

/// Length of the valid UTF-8 sequence at the start of TEXT, else 0 (RFC 3629: no overlong forms, no surrogates, nothing
/// above U+10FFFF).
std::size_t utf8_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xc2 && first < 0xe0   ? 2
                             : first >= 0xe0 && first < 0xf0 ? 3
                             : first >= 0xf0 && first < 0xf5 ? 4
                                                             : 0;
  if (length == 0 || text.size() < length) return 0;
  if (!std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(length), is_continuation)) return 0;
  const auto second = static_cast<unsigned char>(text[1]);
  const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool outside = (first == 0xed && second >= 0xa0) || (first == 0xf4 && second >= 0x90);
  return overlong || outside ? 0 : length;
}

/// Length of the terminal control sequence at the start of TEXT ("ESC [ 31 m"), else 0.
std::size_t escape_length(std::string_view text) {
  if (text.size() < 2 || text[0] != '\x1b' || text[1] != '[') return 0;
  const auto final_byte = std::find_if(text.begin() + 2, text.end(), [](char c) { return c >= '@' && c <= '~'; });
  return static_cast<std::size_t>(final_byte - text.begin()) + (final_byte == text.end() ? 0 : 1);
}

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    std::size_t length = escape_length(text);
    if (length == 0) {
      length = utf8_length(text);
      const auto first = static_cast<unsigned char>(text[0]);
      // U+0080 to U+009F too: terminals interpret U+009B as "ESC [".
      const bool high_control = length == 2 && first == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0;
      const bool control = first < 0x20 || first == 0x7f || high_control;
      if (length == 0) result += '?';
      if (length > 0 && (!control || text[0] == '\n' || text[0] == '\t')) result += text.substr(0, length);
      length = std::max<std::size_t>(length, 1);
    }
    text.remove_prefix(length);
  }
  return result;
}

}  // namespace

std::string last_words(std::string_view output) {
  std::string text = printable(output);
  text.erase(text.find_last_not_of("\n\t ") + 1);
  std::size_t begin = text.size();
  for (std::size_t i = 0; i < last_words_lines && begin > 0; ++i) {
    const std::size_t line_end = text.rfind('\n', begin - 1);
    begin = line_end == std::string::npos ? 0 : line_end;
  }
  if (begin > 0) ++begin;  // after the newline
  text.erase(0, begin);
  if (text.size() <= last_words_bytes) return text;
  std::size_t cut = text.size() - last_words_bytes;
  while (cut < text.size() && is_continuation(text[cut])) ++cut;
  return text.substr(cut);
}

}  // namespace torchgate::launch
