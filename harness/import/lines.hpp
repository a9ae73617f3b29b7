// SPDX-License-Identifier: Apache-2.0
// Text taken apart: lines, and words of a line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace torchgate::import {

/// The next line of TEXT without its end ("\n" or "\r\n"); TEXT becomes the rest. Call while TEXT is not empty.
std::string_view take_line(std::string_view& text);

/// TEXT without spaces and tabs at both ends.
std::string_view trimmed(std::string_view text);

/// The next word of TEXT, up to a space or tab; TEXT becomes the rest. Empty: none is left.
std::string_view take_word(std::string_view& text);

/// The whole of TEXT as a number of digits.
bool is_count(std::string_view text, std::int64_t& value);

/// TEXT without terminal colours (ESC [ ... m) and other control sequences (ESC [ K), which some tools and `grep --color=always` write into files.
std::string without_colours(std::string_view text);

/// TEXT with U+FFFD for each byte that is not UTF-8: names become JSON strings, and two must not become the same one later.
std::string well_formed(std::string_view text);

}  // namespace torchgate::import
