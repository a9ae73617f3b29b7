// SPDX-License-Identifier: Apache-2.0
#include "harness/record/shown_text.hpp"

#include <algorithm>

#include "harness/record/internal/utf8.hpp"

namespace torchgate::record {

using internal::utf8_length;

std::string shown(std::string_view text) {
  constexpr std::size_t most_bytes = 60;
  std::string shown;
  for (std::size_t position = 0; position < text.size();) {
    const std::size_t length = utf8_length(text, position);
    if (shown.size() + std::max<std::size_t>(length, 1) > most_bytes) return shown + "...";
    const bool control = static_cast<unsigned char>(text[position]) < 0x20U || text[position] == 0x7F;
    shown += length == 0 || control ? std::string_view("?") : text.substr(position, length);
    position += std::max<std::size_t>(length, 1);
  }
  return shown;
}

std::string in_quotes(std::string_view text) {
  return '"' + shown(text) + '"';
}

std::string shown_pointer_token(std::string_view key) {
  std::string token;
  for (const char c : shown(key)) {
    if (c == '~') {
      token += "~0";
    } else if (c == '/') {
      token += "~1";
    } else {
      token += c;
    }
  }
  return token;
}

}  // namespace torchgate::record
