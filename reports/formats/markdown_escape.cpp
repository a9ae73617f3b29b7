// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/markdown_escape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "reports/columns.hpp"
#include "reports/safe_text.hpp"

namespace torchgate::reports {
namespace {

constexpr std::string_view zero_width_space = "&#8203;";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_alphanumeric(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(' ') - first + 1));
}

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

/// Whether what was written so far ends with the word, in any case.
bool ends_with(std::string_view text, std::string_view word) {
  return text.size() >= word.size() &&
         std::equal(word.begin(), word.end(), text.end() - static_cast<std::ptrdiff_t>(word.size()),
                    [](char a, char b) { return a == lower(b); });
}

/// ":name:" is an emoji on GitHub; the minutes of a time of day are not.
bool starts_emoji(std::string_view text) {
  std::size_t at = 1;
  bool only_digits = true;
  for (; at < text.size() && (is_alphanumeric(text[at]) || text[at] == '_' || text[at] == '+' || text[at] == '-');
       ++at) {
    only_digits = only_digits && is_digit(text[at]);
  }
  const bool minutes = only_digits && at == 3;
  return at > 1 && !minutes && at < text.size() && text[at] == ':';
}

/// Markdown for text[at], which is not the start of a known name.
std::string escaped(std::string_view text, std::size_t at) {
  const char c = text[at];
  const std::string_view rest = text.substr(at);
  const std::string_view before = text.substr(0, at);
  const bool digit_next = rest.size() > 1 && is_digit(rest[1]);
  const auto parted = [c](bool part) { return fmt::format("{}{}", c, part ? zero_width_space : ""); };
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '|':
      return "&#124;";
    case '$':
      return "<span>$</span>";
    case '@':
      return parted(true);
    case '#':
      return fmt::format("\\{}", parted(digit_next));
    case ':':
      return parted(rest.starts_with("://") || starts_emoji(rest));
    case '-':
      return parted(digit_next && ends_with(before, "gh"));
    case '.':
      return ends_with(before, "www") ? fmt::format("{}.", zero_width_space) : ".";
    case '\\':
    case '`':
    case '*':
    case '_':
    case '[':
    case ']':
    case '~':
      return fmt::format("\\{}", c);
    default:
      // NOLINTNEXTLINE(modernize-return-braced-init-list): {1, c} would be two characters
      return std::string(1, c);
  }
}

/// What would start a list or a rule at the start of a line: "-", "+", "=", "12.", "12)".
std::size_t block_marker(std::string_view text) {
  if (text.empty()) return std::string_view::npos;
  if (text[0] == '-' || text[0] == '+' || text[0] == '=') return 0;
  std::size_t at = 0;
  while (at < text.size() && is_digit(text[at])) ++at;
  return at > 0 && at < text.size() && (text[at] == '.' || text[at] == ')') ? at : std::string_view::npos;
}

std::size_t longest_run(std::string_view text, char c) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char each : text) {
    run = each == c ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

/// A cell ends at a pipe without a backslash, also inside code. Renderers differ about two backslashes before a pipe, so
/// there is always an odd number of them, at the price of one too many in a name that has them.
std::string with_escaped_pipes(std::string_view code) {
  std::string safe;
  std::size_t backslashes = 0;
  for (const char c : code) {
    if (c == '|') safe.append(backslashes % 2 == 0 ? 1 : 2, '\\');
    backslashes = c == '\\' ? backslashes + 1 : 0;
    safe.push_back(c);
  }
  return safe;
}

}  // namespace

std::string markdown_name(std::string_view untrusted, bool in_table) {
  std::string code = elide_middle(trimmed(one_line(untrusted)), markdown_name_width, "…");
  if (code.empty()) return "(no name)";
  const std::string fence(longest_run(code, '`') + 1, '`');
  if (code.front() == '`' || code.back() == '`') code = std::string(1, ' ').append(code).append(1, ' ');
  return fence + (in_table ? with_escaped_pipes(code) : code) + fence;
}

namespace {

enum class Place { line, cell };

/// Whether a name may start or end between these two characters: "a" is not in "case".
bool is_boundary(std::string_view text, std::size_t at) {
  if (at == 0 || at >= text.size()) return true;
  const auto part_of_word = [](char c) {
    return is_alphanumeric(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
  };
  return !part_of_word(text[at - 1]) || !part_of_word(text[at]);
}

/// The longest of the names that starts at text[at] as a word of its own; empty when none does.
std::string_view name_at(std::string_view text, std::size_t at, const std::vector<std::string>& names) {
  std::string_view found;
  if (!is_boundary(text, at)) return found;
  for (const std::string& name : names) {
    if (name.size() > found.size() && text.substr(at).starts_with(name) && is_boundary(text, at + name.size()))
      found = name;
  }
  return found;
}

std::string text_in(Place place, std::string_view untrusted, const std::vector<std::string>& untrusted_names) {
  std::string text = trimmed(one_line(untrusted));
  if (display_width(text) > markdown_text_width) text = elide_middle(text, markdown_text_width, " … ");
  std::vector<std::string> names;
  names.reserve(untrusted_names.size());
  for (const std::string& name : untrusted_names) names.push_back(trimmed(one_line(name)));
  const std::size_t marker = place == Place::line ? block_marker(text) : std::string_view::npos;
  std::string markdown;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view name = name_at(text, at, names);
    if (!name.empty()) {
      markdown += markdown_name(name, false);
      at += name.size();
      continue;
    }
    if (at == marker) markdown += '\\';
    markdown += escaped(text, at);
    ++at;
  }
  return markdown;
}

}  // namespace

std::string markdown_text(std::string_view untrusted, const std::vector<std::string>& names) {
  return text_in(Place::line, untrusted, names);
}

std::string markdown_cell(std::string_view untrusted) {
  return text_in(Place::cell, untrusted, {});
}

std::string html_text(std::string_view untrusted) {
  std::string html;
  for (const char c : elide_middle(trimmed(one_line(untrusted)), markdown_name_width, "…")) {
    switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      case '\'':
        html += "&#39;";
        break;
      default:
        html += c;
    }
  }
  return html.empty() ? "(no name)" : html;
}

std::string unbroken(std::string_view text) {
  std::string joined;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool exponent = text[at] == '-' && at > 1 && text[at - 1] == 'e' && is_digit(text[at - 2]);
    joined += text[at] == ' ' ? "\u00A0" : exponent ? "\u2011" : std::string(1, text[at]);
  }
  return joined;
}

}  // namespace torchgate::reports
