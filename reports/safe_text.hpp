// SPDX-License-Identifier: Apache-2.0
// Text from suites, files and compilers, made safe to put on one line of anything.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace torchgate::reports {

/// One decoded character of UTF-8. Malformed bytes come out one at a time as U+FFFD.
struct CodePoint {
  char32_t value = 0;
  std::size_t bytes = 0;  ///< how many bytes of the text it took
};

/// REQUIRES: at < text.size().
CodePoint decode_utf8(std::string_view text, std::size_t at);
void append_utf8(std::string& text, char32_t value);

/// Not a control character, and nothing that is invisible or turns the direction of the text.
bool is_inert(char32_t value);

/// Valid UTF-8 on one line: line breaks and tabs become a space; control characters, invisible characters and those that
/// turn the direction of the text (which can make a report read differently from what it says) become U+FFFD.
std::string one_line(std::string_view untrusted);

/// one_line() in ASCII: "us" for "µs", "+-" for "±", quotes and dashes as typed; "?" for everything else outside it.
std::string one_ascii_line(std::string_view untrusted);

}  // namespace torchgate::reports
