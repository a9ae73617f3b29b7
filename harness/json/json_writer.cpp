// SPDX-License-Identifier: Apache-2.0
#include "harness/json/json_writer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "harness/base/utf8.hpp"

namespace torchgate::json {
namespace {

// Between these a readable number has no exponent.
constexpr double smallest_plain = 1e-4;
constexpr double smallest_with_exponent = 1e15;

template <class Number, class... Format>
std::string_view digits_of(std::array<char, 32>& buffer, Number number,
                           Format... format) {  // the longest double has 24 characters
  char* const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, format...).ptr;
  return {buffer.data(), static_cast<std::size_t>(end - buffer.data())};
}

void append_readable(std::string& out, double number) {
  std::array<char, 32> buffer;
  const double size = std::abs(number);
  const bool plain = size == 0 || (size >= smallest_plain && size < smallest_with_exponent);
  const std::string_view text =
      digits_of(buffer, number, plain ? std::chars_format::fixed : std::chars_format::scientific);
  out += text;
  if (plain && text.find('.') == std::string_view::npos) out += ".0";
}

void append_unit(std::string& out, std::uint32_t unit) {
  constexpr std::string_view hex = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += hex[(unit >> static_cast<unsigned>(shift)) & 0xFU];
}

// How many bytes from AT on are written as they are, whatever the layout.
std::size_t plain_length(std::string_view text, std::size_t at) {
  constexpr char del = '\x7F';
  const std::size_t begin = at;
  while (at < text.size() && is_plain(text[at]) && text[at] != del) ++at;
  return at - begin;
}

}  // namespace

// --- structure -----------------------------------------------------------------------------------------------------

void JsonWriter::new_line() {
  text_ += '\n';
  text_.append(layout_.indent * depth_, ' ');
}

void JsonWriter::begin_value() {
  if (after_key_ || depth_ == 0) {
    after_key_ = false;
    return;
  }
  const bool line = on_one_line();
  if (!first_) text_ += line && layout_.indent > 0 ? std::string_view(", ") : std::string_view(",");
  first_ = false;
  if (!line) new_line();
}

void JsonWriter::open(char bracket) {
  begin_value();
  text_ += bracket;
  ++depth_;
  first_ = true;
}

void JsonWriter::close(char bracket) {
  const bool line = on_one_line();
  --depth_;
  if (!first_ && !line) new_line();
  first_ = false;
  text_ += bracket;
}

void JsonWriter::key(Key name) {
  begin_value();
  text_ += '"';
  text_ += name.text;
  text_ += layout_.indent > 0 ? std::string_view("\": ") : std::string_view("\":");
  after_key_ = true;
}

void JsonWriter::key_of(std::string_view name) {
  begin_value();
  quote(name);
  text_ += layout_.indent > 0 ? ": " : ":";
  after_key_ = true;
}

// --- text ----------------------------------------------------------------------------------------------------------

bool JsonWriter::is_escaped(char32_t c) const {
  constexpr char32_t del = 0x7F;
  return c < ' ' || c == '"' || c == '\\' || (layout_.ascii && c >= del);
}

void JsonWriter::escape(char32_t c) {
  constexpr std::string_view meanings = "\"\\\n\r\t\b\f";
  constexpr std::string_view letters = "\"\\nrtbf";
  constexpr std::size_t letters_of_records = 5;
  constexpr char32_t first_of_two_units = 0x10000;
  const std::size_t letter =
      c < ' ' || c == '"' || c == '\\' ? meanings.find(static_cast<char>(c)) : std::string_view::npos;
  if (letter < (layout_.readable ? letters.size() : letters_of_records)) {
    text_ += '\\';
    text_ += letters[letter];
  } else if (c < first_of_two_units) {
    append_unit(text_, c);
  } else {
    append_unit(text_, 0xD800U + ((c - first_of_two_units) >> 10U));
    append_unit(text_, 0xDC00U + ((c - first_of_two_units) & 0x3FFU));
  }
}

void JsonWriter::quote(std::string_view text) {
  constexpr std::size_t replacement_bytes = 3;
  text_ += '"';
  std::size_t room = layout_.longest_text;  // as the reader counts: before escaping
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t plain = std::min(plain_length(text, at), room);
    text_.append(text, at, plain);
    at += plain;
    room -= plain;
    if (at == text.size() || room == 0) break;
    const base::CodePoint c = base::decode_utf8(text, at);
    const std::size_t bytes = c.value == base::replacement_character ? replacement_bytes : c.bytes;
    if (bytes > room) break;
    room -= bytes;
    at += c.bytes;
    is_escaped(c.value) ? escape(c.value) : base::append_utf8(text_, c.value);
  }
  text_ += '"';
}

// --- values --------------------------------------------------------------------------------------------------------

void JsonWriter::value(std::string_view text) {
  begin_value();
  quote(text);
}

void JsonWriter::value(bool flag) {
  raw(flag ? "true" : "false");
}

void JsonWriter::value(std::int64_t number) {
  std::array<char, 32> buffer;
  raw(digits_of(buffer, number));
}

void JsonWriter::value(std::uint64_t number) {
  std::array<char, 32> buffer;
  raw(digits_of(buffer, number));
}

void JsonWriter::value(double number) {
  if (!std::isfinite(number)) return null();
  if (layout_.readable) {
    begin_value();
    append_readable(text_, number);
  } else {
    std::array<char, 32> buffer;
    raw(digits_of(buffer, number));
  }
}

void JsonWriter::null() {
  raw("null");
}

void JsonWriter::raw(std::string_view json) {
  begin_value();
  text_ += json;
}

}  // namespace torchgate::json
