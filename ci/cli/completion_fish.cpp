// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "ci/cli/completion.hpp"

namespace torchgate::cli {
namespace {

constexpr std::string_view fish_beginning = R"(# Completion of torchgate in fish: `torchgate completion fish`.
function __torchgate_command
  set -l command ''
  for word in (commandline -opc)[2..-1]
    set -l longer (string trim -- "$command $word")
    contains -- $longer $__torchgate_commands; and set command $longer
  end
  echo $command
end
function __torchgate_is
  test (__torchgate_command) = "$argv"
end
function __torchgate_none
  test -z (__torchgate_command)
end
function __torchgate_runs
  for file in .torchgate/runs/*.json
    string replace -r '\.json$' '' -- (basename $file)
  end
end
complete -c torchgate -f
)";

// In single quotes fish knows \' and \\ only.
std::string fish_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '\'';
}

std::string fish_values(const OptionPage& option) {
  if (!option.words.empty())
    return fmt::format(" -x -a {}", fish_quoted(fmt::format("{}", fmt::join(option.words, " "))));
  switch (value_kind(option.is_argument ? option.names.front() : option.value)) {
    case ValueKind::file:
      return " -r -F";
    case ValueKind::folder:
      return " -x -a '(__fish_complete_directories)'";
    case ValueKind::run:
      return " -r -F -a '(__torchgate_runs)'";
    case ValueKind::other:
      return option.is_argument ? "" : " -x";
  }
  return "";
}

std::string fish_option(const OptionPage& option, const std::string& condition) {
  if (option.hidden) return "";
  if (option.is_argument) {
    std::string values = fish_values(option);
    if (values.empty()) return "";
    if (values.starts_with(" -r")) values.erase(0, 3);  // of an option alone
    if (values.starts_with(" -x")) values.erase(0, 3);
    return fmt::format("complete -c torchgate{}{}\n", condition, values);
  }
  std::string names;
  for (const std::string& name : option.names)
    names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  const std::string values = option.value.empty() ? "" : fish_values(option);
  return fmt::format("complete -c torchgate{}{}{} -d {}\n", condition, names, values, fish_quoted(option.help));
}

}  // namespace

std::string fish_completion(const CommandPages& pages) {
  std::string names;
  for (const CommandPage& page : pages.commands) names += ' ' + fish_quoted(page.name());
  std::string text = fmt::format("{}set -g __torchgate_commands{}\n", fish_beginning, names);
  for (const OptionPage& option : pages.common.options) text += fish_option(option, "");
  for (const CommandPage& page : pages.commands) {
    const std::size_t space = page.name().find(' ');
    const std::string where = space == std::string_view::npos
                                  ? "__torchgate_none"
                                  : fmt::format("'__torchgate_is {}'", page.name().substr(0, space));
    const std::string_view word = space == std::string_view::npos ? page.name() : page.name().substr(space + 1);
    text += fmt::format("complete -c torchgate -n {} -a {} -d {}\n", where, word, fish_quoted(page.row->help));
  }
  for (const CommandPage& page : pages.commands) {
    const std::string condition = fmt::format(" -n '__torchgate_is {}'", page.name());
    for (const OptionPage& option : page.options) text += fish_option(option, condition);
  }
  return text;
}

}  // namespace torchgate::cli
