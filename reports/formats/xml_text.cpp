// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/xml_text.hpp"

#include "reports/safe_text.hpp"

namespace torchgate::reports {

std::string xml_text(std::string_view untrusted) {
  std::string text;
  const std::string line = one_line(untrusted);
  text.reserve(line.size());
  for (const char c : line) {
    switch (c) {
      case '&':
        text += "&amp;";
        break;
      case '<':
        text += "&lt;";
        break;
      case '>':  // "]]>" is forbidden in character data
        text += "&gt;";
        break;
      case '"':
        text += "&quot;";
        break;
      case '\'':
        text += "&#39;";
        break;
      default:
        text += c;
    }
  }
  return text;
}

}  // namespace torchgate::reports
