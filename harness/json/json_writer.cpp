// SPDX-License-Identifier: Apache-2.0
#include "harness/json/json_writer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "harness/base/limits.hpp"
#include "harness/base/utf8.hpp"

namespace torchgate::json {
namespace {

constexpr std::string_view replacement_character = "\xEF\xBF\xBD";  // U+FFFD

template <class Number>
void append_number(std::string& out, Number number) {
  std::array<char, 32> digits;  // the longest double has 24 characters
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), end);
}

void append_escaped(std::string& out, char c) {
  constexpr std::string_view hex = "0123456789abcdef";
  switch (c) {
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    default: {
      const auto byte = static_cast<unsigned char>(c);
      out += "\\u00";
      out += hex[byte >> 4U];
      out += hex[byte & 0xFU];
    }
  }
}

}  // namespace

void JsonWriter::separate() {
  if (needs_comma_) text_ += ',';
  needs_comma_ = true;
}

void JsonWriter::open(char bracket) {
  separate();
  text_ += bracket;
  needs_comma_ = false;
}

void JsonWriter::close(char bracket) {
  text_ += bracket;
  needs_comma_ = true;
}

void JsonWriter::quote(std::string_view text) {
  text_ += '"';
  std::size_t room = base::max_text_bytes;  // as the reader counts: before escaping
  for (std::size_t position = 0; position < text.size();) {
    const char c = text[position];
    const std::size_t length = base::utf8_length(text, position);
    const std::string_view character = length > 0 ? text.substr(position, length) : replacement_character;
    if (character.size() > room) break;
    room -= character.size();
    position += std::max(length, std::size_t{1});
    if (c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20U) {
      append_escaped(text_, c);
    } else {
      text_ += character;
    }
  }
  text_ += '"';
}

void JsonWriter::key(std::string_view name) {
  separate();
  quote(name);
  text_ += ':';
  needs_comma_ = false;
}

void JsonWriter::value(std::string_view text) {
  separate();
  quote(text);
}

void JsonWriter::value(bool flag) {
  raw(flag ? "true" : "false");
}

void JsonWriter::value(std::int64_t number) {
  separate();
  append_number(text_, number);
}

void JsonWriter::value(std::uint64_t number) {
  separate();
  append_number(text_, number);
}

void JsonWriter::value(double number) {
  if (!std::isfinite(number)) return null();
  separate();
  append_number(text_, number);
}

void JsonWriter::null() {
  raw("null");
}

void JsonWriter::raw(std::string_view json) {
  separate();
  text_ += json;
}

}  // namespace torchgate::json
