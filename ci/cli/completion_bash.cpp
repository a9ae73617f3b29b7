// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>

#include "ci/cli/completion.hpp"

namespace torchgate::cli {
namespace {

// Names of runs are not given to `compgen -W`, which would expand what is in them.
constexpr std::string_view bash_beginning = R"(# Completion of torchgate in bash: `torchgate completion bash`.
_torchgate_runs() {
  local file
  for file in .torchgate/runs/*.json; do
    file=${file##*/} file=${file%.json}
    [[ $file != '*' && $file == "$cur"* ]] && COMPREPLY+=("$file")
  done
  _torchgate_files -f
}
_torchgate_files() {
  local name
  compopt -o filenames 2>/dev/null
  while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen "$1" -- "$cur")
}
_torchgate_words() {
  local word
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$1" -- "$cur")
}
_torchgate() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev="" command="" word i values="" options arguments
  ((COMP_CWORD == 0)) || prev=${COMP_WORDS[COMP_CWORD - 1]}
  COMPREPLY=()
  # "--format=json" is three words.
  if [[ $cur == "=" ]]; then cur=""
  elif [[ $prev == "=" ]]; then prev=${COMP_WORDS[COMP_CWORD - 2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    # The value of an option of all commands.
    [[ ${COMP_WORDS[i - 1]} != --config && ${COMP_WORDS[i - 1]} != --color ]] || continue
    case "${command:+$command }$word" in
)";

constexpr std::string_view bash_end = R"(  if [[ $cur == -* ]]; then _torchgate_words "$options"; return; fi
  case $values in
    files) _torchgate_files -f; return ;;
    folders) _torchgate_files -d; return ;;
    runs) _torchgate_runs; return ;;
    none) return ;;
    ?*) _torchgate_words "$values"; return ;;
  esac
  case $arguments in
    files) _torchgate_files -f ;;
    runs) _torchgate_runs ;;
    *) _torchgate_words "$arguments" ;;
  esac
}
complete -F _torchgate torchgate
)";

std::string in_quotes(const std::vector<std::string>& words) {
  return fmt::format("\"{}\"", fmt::join(words, " "));
}

// What follows an option: the name of a kind, or the words themselves.
std::string values_of(const OptionPage& option) {
  if (!option.words.empty()) return in_quotes(option.words);
  switch (value_kind(option.is_argument ? option.names.front() : option.value)) {
    case ValueKind::file:
      return "files";
    case ValueKind::folder:
      return "folders";
    case ValueKind::run:
      return "runs";
    case ValueKind::other:
      return "none";
  }
  return "none";
}

// Of the arguments the first that can be completed: a script does not count them.
std::string arguments_of(const CommandPages& pages, const CommandPage& page) {
  std::vector<std::string> words;
  for (const CommandPage* below : pages_below(pages, page))
    words.emplace_back(below->name().substr(page.name().size() + 1));
  if (!words.empty()) return in_quotes(words);
  for (const OptionPage& option : page.options) {
    if (!option.is_argument) continue;
    const std::string values = values_of(option);
    if (values != "none") return values;
  }
  return "\"\"";
}

std::vector<std::string> option_words(const CommandPage& page, const CommandPages& pages) {
  std::vector<std::string> words;
  for (const CommandPage* each : {&page, &pages.common}) {
    for (const OptionPage& option : each->options) {
      if (option.is_argument || option.hidden) continue;
      words.insert(words.end(), option.names.begin(), option.names.end());
    }
  }
  return words;
}

// "run --counter"|"ab --counter": options that take the same values are one branch.
std::string value_branches(const CommandPages& pages) {
  std::map<std::string, std::vector<std::string>> patterns;
  const auto add = [&patterns](const CommandPage& page, const std::string& command) {
    for (const OptionPage& option : page.options) {
      if (option.is_argument || option.hidden || option.value.empty()) continue;
      for (const std::string& name : option.names)
        patterns[values_of(option)].push_back(command.empty() ? "*\" " + name + '"' : '"' + command + ' ' + name + '"');
    }
  };
  for (const CommandPage& page : pages.commands) add(page, std::string(page.name()));
  add(pages.common, "");
  std::string text;
  for (const auto& [values, of] : patterns) text += fmt::format("    {}) values={} ;;\n", fmt::join(of, " | "), values);
  return text;
}

}  // namespace

std::string bash_completion(const CommandPages& pages) {
  std::vector<std::string> commands;
  std::vector<std::string> names;
  std::string branches;
  for (const CommandPage& page : pages.commands) {
    commands.push_back('"' + std::string(page.name()) + '"');
    if (page.name().find(' ') == std::string_view::npos) names.emplace_back(page.name());
    branches += fmt::format("    \"{}\") options={} arguments={} ;;\n", page.name(),
                            in_quotes(option_words(page, pages)), arguments_of(pages, page));
  }
  const CommandPage none;
  return fmt::format(
      "{}      {}) command=\"${{command:+$command }}$word\" ;;\n    esac\n  done\n  case $command in\n{}"
      "    *) options={} arguments={} ;;\n  esac\n  case \"$command $prev\" in\n{}  esac\n{}",
      bash_beginning, fmt::join(commands, " | "), branches, in_quotes(option_words(none, pages)), in_quotes(names),
      value_branches(pages), bash_end);
}

}  // namespace torchgate::cli
