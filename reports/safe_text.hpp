// SPDX-License-Identifier: Apache-2.0
// Text from suites, files and compilers, made safe to put on one line of anything.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "harness/base/utf8.hpp"

namespace torchgate::reports {

using base::append_utf8;
using base::CodePoint;
using base::decode_utf8;

/// Not a control character, and nothing that is invisible or turns the direction of the text.
bool is_inert(char32_t value);

/// Valid UTF-8 on one line: line breaks and tabs become a space; control characters, invisible characters and those that
/// turn the direction of the text (which can make a report read differently from what it says) become U+FFFD.
std::string one_line(std::string_view untrusted);

/// The lines of a message as parts of one: "ended with exit code 1; last output: no such file". A line that ends with punctuation needs no more.
std::string joined_lines(std::string_view message);

/// one_line() in ASCII: "us" for "µs", "+-" for "±", quotes and dashes as typed; "?" for everything else outside it.
std::string one_ascii_line(std::string_view untrusted);

}  // namespace torchgate::reports
