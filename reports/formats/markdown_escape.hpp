// SPDX-License-Identifier: Apache-2.0
// Untrusted text inside GitHub-flavoured Markdown: shown as it is, without any effect.
//
// "Without effect" means more than CommonMark's backslashes, because GitHub works on the rendered text too: @mentions
// notify people, #12 and GH-12 write into other threads, bare URLs become links, $...$ becomes a formula, :x: an emoji.
// None of that happens inside a code span, so names are code spans; sentences get a zero-width space where it would.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace torchgate::reports {

/// Columns of a name that are shown; of a longer one the two ends are.
inline constexpr std::size_t markdown_name_width = 160;
/// Columns of a sentence that are shown.
inline constexpr std::size_t markdown_text_width = 600;

/// A name as a code span. In a table cell its pipes are escaped.
std::string markdown_name(std::string_view untrusted, bool in_table);

/// A sentence, for a paragraph, a list item or a heading. Names that occur in it are set as code spans.
std::string markdown_text(std::string_view untrusted, const std::vector<std::string>& names = {});

/// A sentence in a table cell, where nothing can start a list.
std::string markdown_cell(std::string_view untrusted);

/// For use between raw HTML tags.
std::string html_text(std::string_view untrusted);

/// The same text, kept on one line by no-break spaces and hyphens: a number, its exponent and its unit belong together.
std::string unbroken(std::string_view text);

}  // namespace torchgate::reports
