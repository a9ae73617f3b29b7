// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <set>
#include <utility>

#include "ci/cli/arguments.hpp"
#include "ci/cli/command_table.hpp"
#include "ci/cli/help_columns.hpp"
#include "ci/cli/help_page.hpp"
#include "ci/cli/help_topics.hpp"
#include "ci/cli/inert_stream.hpp"
#include "ci/cli/manual_page.hpp"
#include "ci/cli/suggestion.hpp"

namespace torchgate::cli {
namespace {

struct HelpCommand {
  std::vector<std::string> words;  ///< a topic, or a command such as "baseline add"
  bool manual = false;
};

std::set<std::string> names_with_help() {
  std::set<std::string> names;
  for (const CommandRow& row : command_rows()) names.insert(row.name);
  for (const HelpTopic& topic : help_topics()) names.insert(topic.name);
  return names;
}

ExitCode help_command(const HelpCommand& command, const Console& console) {
  const CommandPages pages = command_pages();
  const std::size_t width = help_width(console.width);
  const std::string name = fmt::format("{}", fmt::join(command.words, " "));
  if (command.manual) {
    write_verbatim(console.out, manual_page(pages));
  } else if (name.empty()) {
    console.out << help_page(pages, width);
  } else if (const HelpTopic* topic = find_topic(name)) {
    console.out << topic->text(pages, width);
  } else if (const CommandPage* page = find_page(pages, name)) {
    console.out << command_help(*page, pages, width);
  } else {
    return console.fail({base::ErrorCode::bad_input,
                         fmt::format("help: neither a command nor a topic: {}{}; `torchgate help` lists them", name,
                                     suggestion(name, names_with_help()))});
  }
  return ExitCode::ok;
}

}  // namespace

Invocation define_help(Options& options) {
  const auto command = std::make_shared<HelpCommand>();
  std::vector<std::string> names;
  for (const std::string& name : names_with_help()) {
    if (name.find(' ') == std::string::npos) names.push_back(name);
  }
  options
      .add("topic TOPIC|COMMAND...", &command->words,
           "A topic, or a command such as `baseline add` (default: the list of all)")
      .suggested(std::move(names));
  options.add("--man", &command->manual, "Print all of it as a manual page: `torchgate help --man | man -l -`");
  return invocation(command, help_command);
}

}  // namespace torchgate::cli
