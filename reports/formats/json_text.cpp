// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/json_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "reports/safe_text.hpp"

namespace torchgate::reports {
namespace {

// Between these a number is written without an exponent, as people write it.
constexpr double smallest_plain = 1e-4;
constexpr double smallest_with_exponent = 1e15;

void append_unit(std::string& out, std::uint32_t unit) {
  constexpr std::string_view hex = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += hex[(unit >> static_cast<unsigned>(shift)) & 0xFU];
}

void append_escaped(std::string& out, char32_t c) {
  constexpr std::string_view meanings = "\"\\\b\f\n\r\t";
  constexpr std::string_view letters = "\"\\bfnrt";
  const std::size_t letter = c < 0x80 ? meanings.find(static_cast<char>(c)) : std::string_view::npos;
  if (letter != std::string_view::npos) {
    out += '\\';
    out += letters[letter];
  } else if (c < 0x10000) {
    append_unit(out, c);
  } else {
    append_unit(out, 0xD800U + ((c - 0x10000U) >> 10U));
    append_unit(out, 0xDC00U + ((c - 0x10000U) & 0x3FFU));
  }
}

constexpr std::array<bool, 256> plain_bytes = [] {
  std::array<bool, 256> plain{};
  for (std::size_t byte = 0x20; byte < 0x7F; ++byte) plain[byte] = byte != '"' && byte != '\\';
  return plain;
}();

/// How many bytes from AT on need no escape.
std::size_t plain_length(std::string_view text, std::size_t at) {
  const std::size_t begin = at;
  while (at < text.size() && plain_bytes[static_cast<unsigned char>(text[at])]) ++at;
  return at - begin;
}

void append_double(std::string& out, double number) {
  // The longest has 24 characters, or 21 without an exponent.
  std::array<char, 32> buffer;
  const double size = std::abs(number);
  const bool plain = size == 0 || (size >= smallest_plain && size < smallest_with_exponent);
  const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
  char* const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, format).ptr;
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  out += text;
  if (plain && text.find('.') == std::string_view::npos) out += ".0";
}

}  // namespace

void JsonText::new_line() {
  text_ += '\n';
  text_.append(2 * depth_, ' ');
}

void JsonText::begin_value() {
  if (after_key_ || depth_ == 0) {
    after_key_ = false;
    return;
  }
  if (!first_) text_ += on_one_line() && !compact_ ? ", " : ",";
  first_ = false;
  if (!on_one_line()) new_line();
}

void JsonText::open(char bracket) {
  begin_value();
  text_ += bracket;
  ++depth_;
  first_ = true;
}

void JsonText::close(char bracket) {
  const bool line = on_one_line();
  --depth_;
  if (!first_ && !line) new_line();
  first_ = false;
  text_ += bracket;
}

void JsonText::key(std::string_view name) {
  begin_value();
  text_ += '"';
  text_ += name;
  text_ += compact_ ? "\":" : "\": ";
  after_key_ = true;
}

void JsonText::quote(std::string_view text) {
  text_ += '"';
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t plain = plain_length(text, at);
    text_.append(text, at, plain);
    at += plain;
    if (at == text.size()) break;
    const CodePoint point = decode_utf8(text, at);
    append_escaped(text_, point.value);
    at += point.bytes;
  }
  text_ += '"';
}

void JsonText::value(std::string_view text) {
  begin_value();
  quote(text);
}

void JsonText::value(bool flag) {
  begin_value();
  text_ += flag ? "true" : "false";
}

void JsonText::value(std::int64_t number) {
  begin_value();
  std::array<char, 24> buffer;
  text_.append(buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr);
}

void JsonText::value(double number) {
  if (!std::isfinite(number)) return null();
  begin_value();
  append_double(text_, number);
}

void JsonText::null() {
  begin_value();
  text_ += "null";
}

}  // namespace torchgate::reports
