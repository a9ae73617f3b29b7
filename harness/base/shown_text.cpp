// SPDX-License-Identifier: Apache-2.0
#include "harness/base/shown_text.hpp"

#include <algorithm>

#include "harness/base/utf8.hpp"

namespace torchgate::base {

namespace {

// Controls, C1 among them, line and paragraph separators, what is invisible and what turns the direction of text: all of them
// have one to three bytes.
bool is_control(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 1) return byte(0) < 0x20U || byte(0) == 0x7FU;
  if (character.size() == 2) return (byte(0) == 0xC2U && byte(1) < 0xA0U) || character == "\xD8\x9C";
  if (character.size() != 3) return false;
  if (character == "\xEF\xBB\xBF") return true;
  const bool separators =
      byte(1) == 0x80U && ((byte(2) >= 0x8BU && byte(2) <= 0x8FU) || (byte(2) >= 0xA8U && byte(2) <= 0xAEU));
  return byte(0) == 0xE2U && (separators || (byte(1) == 0x81U && byte(2) >= 0xA0U && byte(2) <= 0xAFU));
}

}  // namespace

std::string shown(std::string_view text) {
  constexpr std::size_t most_bytes = 60;
  std::string shown;
  for (std::size_t position = 0; position < text.size();) {
    const std::size_t length = utf8_length(text, position);
    if (shown.size() + std::max<std::size_t>(length, 1) > most_bytes) return shown + "...";
    const std::string_view character = text.substr(position, length);
    shown += length == 0 || is_control(character) ? std::string_view("?") : character;
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

}  // namespace torchgate::base
