// SPDX-License-Identifier: Apache-2.0
// Laying text out in columns of a fixed-width font. Does not depend on benchmarks. All text is one_line() of something.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace torchgate::reports {

/// Columns a terminal gives the text: 2 for East Asian wide characters and emoji, 0 for combining marks.
std::size_t display_width(std::string_view text);

/// The text, or its two ends around `mark` when it is wider than `width`: the ends of a name are what tells it apart.
std::string elide_middle(std::string_view text, std::size_t width, std::string_view mark);

/// Filled up with spaces; a text that is too wide is returned as it is.
/// Each of TEXTS by elide_middle(). Different ones that would look the same begin with the first part, after a "/" or a space, that
/// differs: "…prefetch:on/layout:nhwc".
std::vector<std::string> elide_apart(const std::vector<std::string>& texts, std::size_t width, std::string_view mark);

/// The words that fit, and MARK where there are more: never a part of what is between two backquotes.
std::string cut_at_word(std::string_view text, std::size_t width, std::string_view mark);

std::string pad_right(std::string_view text, std::size_t width);
std::string pad_left(std::string_view text, std::size_t width);

/// Lines of at most `width` columns, broken between words; a word that is wider is broken inside. What is between two backquotes
/// stays on one line where it fits.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

}  // namespace torchgate::reports
