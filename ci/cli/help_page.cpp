// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/help_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ci/cli/exit_code.hpp"
#include "ci/cli/help_columns.hpp"
#include "ci/cli/help_topics.hpp"

namespace torchgate::cli {
namespace {

// The longest name that has its text beside it.
constexpr std::size_t command_column = 12;
constexpr std::size_t option_column = 26;

constexpr std::string_view settings_order =
    "Settings, later ones win: torchgate.toml (in this or a parent directory), TORCHGATE_<SECTION>_<KEY>, flags.";

std::string options_section(std::string_view title, const CommandPage& page, bool arguments, std::size_t width) {
  std::string text;
  for (const OptionPage& option : page.options) {
    if (option.is_argument != arguments || option.hidden) continue;
    text += entry(shown_name(option), option.help + (option.required && !arguments ? " (required)" : ""), option_column,
                  width);
  }
  return text.empty() ? text : fmt::format("\n{}\n{}", title, text);
}

std::string command_rows_of(const std::vector<const CommandPage*>& commands, std::size_t column, std::size_t width) {
  std::string text;
  for (const CommandPage* page : commands) text += entry(page->name(), page->row->help, column, width);
  return text;
}

std::string example_section(std::string_view example) {
  std::string text = example.find('\n') == std::string_view::npos ? "Example\n" : "Examples\n";
  while (!example.empty()) {
    const std::size_t end = std::min(example.find('\n'), example.size());
    text += fmt::format("  {}\n", example.substr(0, end));
    example.remove_prefix(std::min(end + 1, example.size()));
  }
  return text;
}

}  // namespace

std::string shown_name(const OptionPage& option) {
  std::string text = fmt::format("{}", fmt::join(option.names, ", "));
  if (option.is_argument) return text + (option.repeats ? "..." : "");
  return option.value.empty() ? text : text + ' ' + option.value;
}

std::string help_page(const CommandPages& pages, std::size_t width) {
  std::string text = "torchgate: performance-regression gate for C++ code on LibTorch\n";
  const char* last = "";
  for (const CommandPage& page : pages.commands) {
    if (page.name().find(' ') != std::string_view::npos) continue;  // listed by its parent's help
    const char* const title = heading(page.row->purpose);
    if (std::string_view(title) != last) text += fmt::format("\n{}\n", title);
    last = title;
    text += entry(page.name(), page.row->help, command_column, width);
  }
  text += "\nTopics of `torchgate help`\n";
  for (const HelpTopic& topic : help_topics()) text += entry(topic.name, topic.about, command_column, width);
  text += options_section("Options of every command", pages.common, false, width);
  text += "\n`torchgate COMMAND --help` begins with an example.\n";
  text += paragraph(exit_codes_sentence(), width);
  return text + paragraph(settings_order, width);
}

std::string command_help(const CommandPage& page, const CommandPages& pages, std::size_t width) {
  std::string text = example_section(page.row->example);
  text += '\n' + paragraph(std::string(page.row->help) + '.', width);
  text += '\n' + paragraph("Usage: " + usage(page), width);
  const auto below = pages_below(pages, page);
  if (!below.empty()) {
    std::size_t longest = 0;
    for (const CommandPage* each : below) longest = std::max(longest, each->name().size());
    text += "\nCommands\n" + command_rows_of(below, longest, width);
  }
  text += options_section("Arguments", page, true, width);
  text += options_section("Options", page, false, width);
  text += options_section("Options of every command", pages.common, false, width);
  return text + '\n' + paragraph(page.footer.empty() ? exit_codes_sentence() : page.footer, width);
}

}  // namespace torchgate::cli
