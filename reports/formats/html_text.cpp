// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/html_text.hpp"

#include <array>
#include <cstdint>

#include "harness/base/content_hash.hpp"
#include "reports/columns.hpp"
#include "reports/formats/xml_text.hpp"
#include "reports/safe_text.hpp"

namespace torchgate::reports {
namespace {

constexpr std::size_t sha256_bytes = 32;

unsigned hex_digit(char c) {
  return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10);
}

std::array<std::uint8_t, sha256_bytes> bytes_of_hex(std::string_view hex) {
  std::array<std::uint8_t, sha256_bytes> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>(hex_digit(hex[2 * i]) * 16U + hex_digit(hex[2 * i + 1]));
  return bytes;
}

/// RFC 4648, of 32 bytes: ten groups of three, and two bytes with one "=".
std::string base64(const std::array<std::uint8_t, sha256_bytes>& bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::uint32_t third = i + 2 < bytes.size() ? bytes[i + 2] : 0;
    const std::uint32_t group = (std::uint32_t{bytes[i]} << 16U) | (std::uint32_t{bytes[i + 1]} << 8U) | third;
    for (const unsigned shift : {18U, 12U, 6U, 0U}) text += digits[(group >> shift) & 0x3FU];
  }
  text.back() = '=';
  return text;
}

std::string shown(std::string_view untrusted, std::size_t width) {
  std::string text = xml_text(elide_middle(one_line(untrusted), width, "…"));
  return text.empty() ? "(no name)" : text;
}

}  // namespace

std::string html_name(std::string_view untrusted) {
  return shown(untrusted, html_name_width);
}

std::string html_sentence(std::string_view untrusted) {
  return shown(untrusted, html_sentence_width);
}

std::string html_list(const std::vector<std::string>& untrusted) {
  if (untrusted.empty()) return {};
  std::string html = "<ul>";
  for (const std::string& sentence : untrusted) html += "<li>" + html_sentence(sentence) + "</li>";
  return html + "</ul>";
}

std::string html_scrolled(std::string_view untrusted_name) {
  return "<div class=\"wide\" role=\"group\" tabindex=\"0\" aria-label=\"" + html_name(untrusted_name) + "\">";
}

std::string json_for_script(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

std::string policy_hash(std::string_view content) {
  return "'sha256-" + base64(bytes_of_hex(base::sha256(content))) + "'";
}

}  // namespace torchgate::reports
