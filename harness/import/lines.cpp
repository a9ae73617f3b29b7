// SPDX-License-Identifier: Apache-2.0
#include "harness/import/lines.hpp"

#include <algorithm>
#include <charconv>

#include "harness/base/utf8.hpp"

namespace torchgate::import {
namespace {

constexpr std::string_view blanks = " \t\r";

}  // namespace

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string_view take_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  const std::string_view word = text.substr(0, std::min(text.find_first_of(blanks), text.size()));
  text.remove_prefix(word.size());
  return word;
}

bool is_count(std::string_view text, std::int64_t& value) {
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && last == end && value >= 0;
}

std::string without_colours(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  while (!text.empty()) {
    const std::size_t escape = std::min(text.find("\x1b["), text.size());
    plain += text.substr(0, escape);
    text.remove_prefix(escape);
    if (text.empty()) break;
    const std::size_t end = std::min(text.find_first_not_of("0123456789:;<=>?", 2), text.size());
    text.remove_prefix(end);
    if (!text.empty() && text.front() >= '@' && text.front() <= '~') text.remove_prefix(1);
  }
  return plain;
}

std::string well_formed(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  for (std::size_t position = 0; position < text.size();) {
    const std::size_t length = base::utf8_length(text, position);
    clean += length > 0 ? text.substr(position, length) : std::string_view("\ufffd");
    position += std::max<std::size_t>(length, 1);
  }
  return clean;
}

}  // namespace torchgate::import
