// SPDX-License-Identifier: Apache-2.0
// A text that a message or a file has as a string of TOML.
#pragma once

#include <string>
#include <string_view>

namespace torchgate::base {

/// TEXT as a TOML string on one line, with its quotes.
inline std::string toml_text(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (byte < ' ' || c == '\x7f') {
      quoted += "\\u00";
      quoted += digits[byte / digits.size()];
      quoted += digits[byte % digits.size()];
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

}  // namespace torchgate::base
