// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/usage_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

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

// An argument as the help shows it: "RUN" for what is declared as "run".
std::string shown_as(const std::string& declared, const CommandPage* page) {
  if (page == nullptr || is_option(declared)) return declared;
  const auto argument = std::find_if(page->options.begin(), page->options.end(), [&](const OptionPage& option) {
    return option.is_argument && option.parsed_as == declared;
  });
  return argument == page->options.end() ? declared : argument->names.front();
}

// What the parser says, without the types that it names ("--save: 1 required TEXT missing"), and with a fix.
std::string problem_words(const std::string& said, const CommandPage* page) {
  const auto halves = [&](std::string_view between) {
    const std::size_t at = said.find(between);
    return at == std::string::npos ? std::pair<std::string, std::string>()
                                   : std::pair(said.substr(0, at), said.substr(at + between.size()));
  };
  const auto is_name = [](const std::string& text) {
    return !text.empty() && text.find_first_of(" :") == std::string::npos;
  };
  if (said.ends_with(" missing") && is_name(halves(": 1 required ").first))
    return halves(": ").first + ": its value is missing";
  if (const auto [option, times] = halves(": At Most 1 required but received "); is_name(option) && is_name(times))
    return fmt::format("{}: given {} times; give it once", option, times);
  if (const auto [one, other] = halves(" excludes "); is_name(one) && is_name(other))
    return fmt::format("{} excludes {}; leave one of the two out", shown_as(one, page), shown_as(other, page));
  return said;
}

std::string problem_of(const UsageError& error, const CommandPage* page, const CommandPages& pages) {
  const auto& left = error.left_over;
  const bool takes_command = page == nullptr || page->row->define == nullptr;
  const auto arguments = std::find(left.begin(), left.end(), "--");  // what follows are arguments
  const auto option = std::find_if(left.begin(), arguments, is_option);
  if (takes_command && !left.empty() && !is_option(left.front())) {
    return fmt::format("unknown command {}{}", left.front(),
                       suggestion(left.front(), command_words(error.command, pages)));
  }
  if (option != arguments) {
    const std::string name = option->substr(0, option->find('='));
    return fmt::format("unknown option {}{}", name, suggestion(name, option_names(page, pages)));
  }
  if (takes_command) return "no command given";
  if (const auto extra = std::find_if(left.begin(), left.end(), [](const auto& word) { return word != "--"; });
      extra != left.end())
    return fmt::format("unexpected argument {}", *extra);
  if (!error.missing.empty())
    return fmt::format("missing {}; usage: {}", fmt::join(error.missing, " and "), usage(*page));
  return problem_words(error.problem, page);
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
