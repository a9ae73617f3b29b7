// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "ci/cli/completion.hpp"

namespace torchgate::cli {
namespace {

constexpr std::string_view zsh_beginning = R"(#compdef torchgate
# Completion of torchgate in zsh: `torchgate completion zsh`.
_torchgate_runs() {
  local -a runs
  runs=(.torchgate/runs/*.json(N:t:r))
  _alternative 'runs:run:compadd -a runs' 'files:file:_files'
}
)";

// Loaded by compinit the file is the function itself; sourced, it names it.
constexpr std::string_view zsh_end =
    R"(if [[ $funcstack[1] == _torchgate ]]; then _torchgate "$@"; else compdef _torchgate torchgate; fi
)";

// In single quotes, as part of a specification of _arguments or _describe.
std::string zsh_part(std::string_view text) {
  std::string part;
  for (const char c : text) {
    if (c == '\'') {
      part += "'\\''";
      continue;
    }
    if (c == ':' || c == '[' || c == ']' || c == '\\') part += '\\';
    part += c;
  }
  return part;
}

std::string zsh_values(const OptionPage& option) {
  if (!option.words.empty()) {
    std::string words;
    for (const std::string& word : option.words) words += (words.empty() ? "" : " ") + zsh_part(word);
    return fmt::format("({})", words);
  }
  switch (value_kind(option.is_argument ? option.names.front() : option.value)) {
    case ValueKind::file:
      return "_files";
    case ValueKind::folder:
      return "_files -/";
    case ValueKind::run:
      return "_torchgate_runs";
    case ValueKind::other:
      return " ";
  }
  return " ";
}

std::string zsh_option(const OptionPage& option, int& argument) {
  if (option.hidden) return "";
  if (option.is_argument) {
    const std::string place = option.repeats ? "*" : std::to_string(++argument);
    return fmt::format(" \\\n        '{}:{}:{}'", place, zsh_part(option.names.front()), zsh_values(option));
  }
  std::string specifications;
  for (const std::string& name : option.names) {
    // A value may follow behind "=", too.
    const std::string value =
        option.value.empty() ? "" : fmt::format(":{}:{}", zsh_part(option.value), zsh_values(option));
    const bool joins = !option.value.empty() && name.starts_with("--");
    specifications += fmt::format(" \\\n        '{}{}{}[{}]{}'", option.repeats ? "*" : "", name, joins ? "=" : "",
                                  zsh_part(option.help), value);
  }
  return specifications;
}

std::string zsh_arguments(const CommandPage& page, const CommandPages& pages) {
  int argument = 0;
  std::string text = "_arguments -s -S";
  for (const OptionPage& option : pages.common.options) text += zsh_option(option, argument);
  for (const OptionPage& option : page.options) text += zsh_option(option, argument);
  return text + '\n';
}

// A list of commands with what they do, for _describe.
std::string zsh_commands(const CommandPages& pages, std::string_view above) {
  std::string text;
  for (const CommandPage& page : pages.commands) {
    const std::size_t space = page.name().find(' ');
    const std::string_view parent = space == std::string_view::npos ? "" : page.name().substr(0, space);
    if (parent != above) continue;
    const std::string_view word = space == std::string_view::npos ? page.name() : page.name().substr(space + 1);
    text += fmt::format("\n    '{}:{}'", word, zsh_part(page.row->help));
  }
  return text;
}

// Completes the words behind ABOVE: its commands, then what each of them takes.
std::string zsh_function(const CommandPages& pages, std::string_view above) {
  std::string branches;
  for (const CommandPage& page : pages.commands) {
    const std::size_t space = page.name().find(' ');
    const std::string_view parent = space == std::string_view::npos ? "" : page.name().substr(0, space);
    if (parent != above) continue;
    const std::string_view word = space == std::string_view::npos ? page.name() : page.name().substr(space + 1);
    branches += fmt::format(
        "      {}) {} ;;\n", word,
        page.row->define == nullptr ? fmt::format("_torchgate_{}", page.name()) : zsh_arguments(page, pages));
  }
  const CommandPage none;
  std::string options = zsh_arguments(none, pages);
  options.erase(0, std::string_view("_arguments -s -S").size());
  options.pop_back();
  return fmt::format(
      "_torchgate{}{}() {{\n  local curcontext=$curcontext state line\n  local -a commands\n  commands=({}\n  )\n"
      "  _arguments -C -s -S{} \\\n        '1:command:->command' '*::argument:->argument'\n  case $state in\n"
      "    command) _describe -t commands command commands ;;\n    argument) case $words[1] in\n{}    esac ;;\n  "
      "esac\n}}\n",
      above.empty() ? "" : "_", above, zsh_commands(pages, above), options, branches);
}

}  // namespace

std::string zsh_completion(const CommandPages& pages) {
  std::string text(zsh_beginning);
  for (const CommandPage& page : pages.commands) {
    if (page.row->define == nullptr) text += zsh_function(pages, page.name());
  }
  return text + zsh_function(pages, "") + std::string(zsh_end);
}

}  // namespace torchgate::cli
