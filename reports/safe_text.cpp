// SPDX-License-Identifier: Apache-2.0
#include "reports/safe_text.hpp"

#include <algorithm>

namespace torchgate::reports {
namespace {

constexpr char32_t replacement = base::replacement_character;

bool breaks_line(char32_t c) {
  return c == '\n' || c == '\r' || c == '\t' || c == 0x0B || c == 0x0C || c == 0x85 || c == 0x2028 || c == 0x2029;
}

bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0);
}

/// Direction marks, embeddings and isolates (Unicode UAX #9), and what has no shape at all: zero-width characters, the
/// byte order mark, interlinear and tag characters.
bool is_deceptive(char32_t c) {
  return c == 0x00AD || c == 0x061C || c == 0x180E || (c >= 0x200B && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || (c >= 0xFFF0 && c <= 0xFFFB) || (c >= 0xE0000 && c <= 0xE0FFF);
}

std::string ascii_for(char32_t c) {
  // NOLINTNEXTLINE(modernize-return-braced-init-list): {1, c} would be two characters
  if (c < 0x80) return std::string(1, static_cast<char>(c));
  switch (c) {
    case 0x00A0:
      return " ";
    case 0x00B1:
      return "+-";
    case 0x00B5:
    case 0x03BC:
      return "u";
    case 0x00D7:
      return "x";
    case 0x2013:
    case 0x2014:
    case 0x2212:
      return "-";
    case 0x2018:
    case 0x2019:
      return "'";
    case 0x201C:
    case 0x201D:
      return "\"";
    case 0x2026:
      return "...";
    case 0x2192:
      return "->";
    case 0x2264:
      return "<=";
    case 0x2265:
      return ">=";
    default:
      return "?";
  }
}

}  // namespace

bool is_inert(char32_t value) {
  return value != 0x2028 && value != 0x2029 && !is_control(value) && !is_deceptive(value);
}

std::string one_line(std::string_view untrusted) {
  std::string safe;
  safe.reserve(untrusted.size());
  for (std::size_t at = 0; at < untrusted.size();) {
    const std::size_t printable = base::printable_ascii_length(untrusted, at);
    safe.append(untrusted, at, printable);
    at += printable;
    if (at == untrusted.size()) break;
    const CodePoint point = decode_utf8(untrusted, at);
    at += point.bytes;
    if (breaks_line(point.value)) {
      safe.push_back(' ');
    } else if (is_control(point.value) || is_deceptive(point.value)) {
      append_utf8(safe, replacement);
    } else {
      append_utf8(safe, point.value);
    }
  }
  return safe;
}

std::string joined_lines(std::string_view message) {
  constexpr std::string_view punctuation = ".:;,!?";
  std::string joined;
  while (!message.empty()) {
    const std::size_t end = std::min(message.find('\n'), message.size());
    std::string_view line = message.substr(0, end);
    message.remove_prefix(std::min(end + 1, message.size()));
    while (line.ends_with(' ') || line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    if (!joined.empty()) joined += punctuation.find(joined.back()) == std::string_view::npos ? "; " : " ";
    joined += line;
  }
  return joined;
}

std::string one_ascii_line(std::string_view untrusted) {
  const std::string safe = one_line(untrusted);
  std::string ascii;
  for (std::size_t at = 0; at < safe.size();) {
    const CodePoint point = decode_utf8(safe, at);
    at += point.bytes;
    ascii += ascii_for(point.value);
  }
  return ascii;
}

}  // namespace torchgate::reports
