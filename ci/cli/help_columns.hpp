// SPDX-License-Identifier: Apache-2.0
// How a text of help is laid out.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace torchgate::cli {

/// The columns of a help text on a terminal of this width.
std::size_t help_width(std::size_t terminal_width);

/// NAME in a column of NAME_WIDTH behind two spaces, TEXT beside it, or below it where the name is wider. Ends with a line break.
std::string entry(std::string_view name, std::string_view text, std::size_t name_width, std::size_t width);

/// TEXT between words, with a line break at the end.
std::string paragraph(std::string_view text, std::size_t width);

}  // namespace torchgate::cli
