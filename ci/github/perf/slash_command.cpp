// SPDX-License-Identifier: Apache-2.0
#include "ci/github/perf/slash_command.hpp"

#include <fmt/format.h>

#include <optional>

#include "harness/base/first_line.hpp"
#include "harness/base/limits.hpp"
#include "harness/base/utf8.hpp"
#include "reports/safe_text.hpp"

namespace torchgate::github {
namespace {

constexpr std::string_view command_word = "/perf";
// The longest command that is accepted, with some spaces. Longer lines are not looked at.
constexpr std::size_t most_line_bytes = base::max_name_bytes + most_reason_bytes + 100;

SlashCommand wrong(std::string problem) {
  SlashCommand command;
  command.kind = SlashCommand::Kind::wrong;
  command.problem = std::move(problem);
  return command;
}

std::string_view without_spaces(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// GitHub sends the line breaks that the browser sent: CR LF.
std::string_view first_line_of(std::string_view body) {
  std::string_view line = base::first_line(body);
  if (line.size() < body.size() && line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// Removes the first word of TEXT, with the spaces behind it, and returns it.
std::string_view take_word(std::string_view& text) {
  const std::string_view word = text.substr(0, text.find(' '));
  text = without_spaces(text.substr(word.size()));
  return word;
}

// Removes a name in double quotes or backticks, with the spaces behind it; a name may have spaces. Absent: TEXT begins with another word.
std::optional<std::string_view> take_quoted(std::string_view& text) {
  if (text.empty() || (text.front() != '"' && text.front() != '`')) return std::nullopt;
  const std::size_t end = text.find(text.front(), 1);
  if (end == std::string_view::npos || (end + 1 < text.size() && text[end + 1] != ' ')) return std::nullopt;
  const std::string_view name = text.substr(1, end - 1);
  text = without_spaces(text.substr(end + 1));
  return name;
}

// "/performance" and "/perf/notes.md" are other words.
bool is_for_us(std::string_view line) {
  if (!line.starts_with(command_word)) return false;
  if (line.size() == command_word.size()) return true;
  const char next = line[command_word.size()];
  const bool goes_on = (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') || (next >= '0' && next <= '9') ||
                       next == '-' || next == '_' || next == '/' || next == '.';
  return !goes_on;
}

// A line that reads as it is: no tab, no zero-width character, nothing that turns its direction.
bool is_plain(std::string_view line) {
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t bytes = base::utf8_length(line, at);
    if (bytes == 0 || !reports::is_inert(reports::decode_utf8(line, at).value)) return false;
    at += bytes;
  }
  return true;
}

SlashCommand accept_of(std::string_view text) {
  const auto quoted = take_quoted(text);
  const std::string_view name = quoted ? *quoted : take_word(text);
  if (name.empty()) return wrong("the case is missing");
  if (text.empty()) return wrong("the reason is missing");
  if (name.size() > base::max_name_bytes) return wrong("the case's name is too long");
  if (text.size() > most_reason_bytes)
    return wrong(fmt::format("the reason has {} bytes, at most {} are kept", text.size(), most_reason_bytes));
  if (name.starts_with('-') || text.starts_with('-')) return wrong("neither case nor reason may begin with a hyphen");
  SlashCommand command;
  command.kind = SlashCommand::Kind::accept;
  command.case_name = name;
  command.reason = text;
  return command;
}

}  // namespace

SlashCommand parse_slash_command(std::string_view body) {
  const std::string_view line = first_line_of(body);
  if (!is_for_us(line)) return {};
  if (line.size() > most_line_bytes) return wrong("the line is too long");
  if (!is_plain(line))
    return wrong("the line has a tab, an invisible or a control character, or one that is not UTF-8");
  std::string_view rest = line;
  if (take_word(rest) != command_word) return wrong("a space must follow /perf");
  const std::string_view verb = take_word(rest);
  if (verb == "accept") return accept_of(rest);
  if (verb != "rerun") return wrong(verb.empty() ? "the command is missing" : "unknown command");
  if (!rest.empty()) return wrong("rerun takes nothing behind it");
  SlashCommand command;
  command.kind = SlashCommand::Kind::rerun;
  return command;
}

}  // namespace torchgate::github
