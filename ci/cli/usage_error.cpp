// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/usage_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ci/cli/suggestion.hpp"

namespace torchgate::cli {
namespace {

bool is_option(const std::string& word) {
  return word.size() > 1 && word.front() == '-';
}

std::set<std::string> option_names(const CommandPage* page, const CommandPages& pages) {
  std::set<std::string> names;
  for (const CommandPage* each : {page, &pages.common}) {
    if (each == nullptr) continue;
    for (const OptionPage& option : each->options) {
      if (!option.is_argument && !option.hidden) names.insert(option.names.begin(), option.names.end());
    }
  }
  return names;
}

// The words that may follow COMMAND: "add" of "baseline", all commands of nothing.
std::set<std::string> command_words(const std::string& command, const CommandPages& pages) {
  const std::string beginning = command.empty() ? "" : command + ' ';
  std::set<std::string> words;
  for (const CommandPage& page : pages.commands) {
    if (!page.name().starts_with(beginning)) continue;
    const std::string_view rest = page.name().substr(beginning.size());
    words.emplace(rest.substr(0, rest.find(' ')));
  }
  return words;
}

std::string problem_of(const UsageError& error, const CommandPage* page, const CommandPages& pages) {
  const auto& left = error.left_over;
  const bool takes_command = page == nullptr || page->row->define == nullptr;
  const auto option = std::find_if(left.begin(), left.end(), is_option);
  if (takes_command && !left.empty() && !is_option(left.front())) {
    return fmt::format("unknown command {}{}", left.front(),
                       suggestion(left.front(), command_words(error.command, pages)));
  }
  if (option != left.end()) {
    const std::string name = option->substr(0, option->find('='));
    return fmt::format("unknown option {}{}", name, suggestion(name, option_names(page, pages)));
  }
  if (takes_command) return "no command given";
  if (!left.empty()) return fmt::format("unexpected argument {}", left.front());
  if (!error.missing.empty())
    return fmt::format("missing {}; usage: {}", fmt::join(error.missing, " and "), usage(*page));
  return error.problem;
}

}  // namespace

std::string usage_message(const UsageError& error, const CommandPages& pages) {
  const CommandPage* const page = find_page(pages, error.command);
  const std::string of = error.command.empty() ? "" : error.command + ": ";
  const std::string help =
      error.command.empty() ? "torchgate --help" : fmt::format("torchgate {} --help", error.command);
  return fmt::format("torchgate: {}{}\nSee `{}`.\n", of, problem_of(error, page, pages), help);
}

}  // namespace torchgate::cli
