// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/json_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "reports/safe_text.hpp"

namespace torchgate::reports {
namespace {

// From 1e-4 up to 1e15 a number is written without an exponent, as people write it.
constexpr int smallest_plain_exponent = -4;
constexpr int largest_plain_exponent = 14;

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

bool is_plain(char c) {
  return c >= 0x20 && c < 0x7F && c != '"' && c != '\\';
}

void append_double(std::string& out, double number) {
  std::array<char, 32> buffer;  // the longest has 24 characters
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::scientific).ptr;
  std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  const std::size_t e = text.find('e');
  int exponent = 0;
  std::from_chars(text.data() + e + (text[e + 1] == '+' ? 2 : 1), end, exponent);
  if (exponent < smallest_plain_exponent || exponent > largest_plain_exponent) {
    out += text;
    return;
  }
  if (text.front() == '-') out += '-';
  std::string digits(text.substr(text.front() == '-' ? 1 : 0, e - (text.front() == '-' ? 1 : 0)));
  std::erase(digits, '.');
  if (exponent < 0) {
    out += "0.";
    out.append(static_cast<std::size_t>(-exponent - 1), '0');
    out += digits;
    return;
  }
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() < whole + 1) digits.append(whole + 1 - digits.size(), '0');
  out.append(digits, 0, whole);
  out += '.';
  out.append(digits, whole);
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
  if (!first_) text_ += ',';
  first_ = false;
  new_line();
}

void JsonText::open(char bracket) {
  begin_value();
  text_ += bracket;
  ++depth_;
  first_ = true;
}

void JsonText::close(char bracket) {
  --depth_;
  if (!first_) new_line();
  first_ = false;
  text_ += bracket;
}

void JsonText::key(std::string_view name) {
  begin_value();
  quote(name);
  text_ += ": ";
  after_key_ = true;
}

void JsonText::quote(std::string_view text) {
  text_ += '"';
  for (std::size_t at = 0; at < text.size();) {
    const auto plain = static_cast<std::size_t>(
        std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), is_plain) - text.begin());
    text_ += text.substr(at, plain - at);
    at = plain;
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
