// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/completion.hpp"

#include <fmt/format.h>

#include <memory>
#include <set>

#include "ci/cli/arguments.hpp"
#include "ci/cli/command_table.hpp"
#include "ci/cli/inert_stream.hpp"
#include "ci/cli/suggestion.hpp"

namespace torchgate::cli {
namespace {

struct CompletionCommand {
  std::string shell;
};

ExitCode completion_command(const CompletionCommand& command, const Console& console) {
  const Shell* const shell = find_shell(command.shell);
  if (shell == nullptr) {
    std::set<std::string> names;
    for (const Shell& each : shells()) names.insert(each.name);
    return console.fail(
        {base::ErrorCode::bad_input, fmt::format("completion: unknown shell {}{}; use one of: {}", command.shell,
                                                 suggestion(command.shell, names), fmt::join(names, ", "))});
  }
  write_verbatim(console.out, shell->script(command_pages()));
  return ExitCode::ok;
}

}  // namespace

Invocation define_completion(Options& options) {
  const auto command = std::make_shared<CompletionCommand>();
  std::vector<std::string> names;
  for (const Shell& shell : shells()) names.emplace_back(shell.name);
  options.add("shell", &command->shell, fmt::format("One of: {}", fmt::join(names, ", "))).required().suggested(names);
  return invocation(command, completion_command);
}

}  // namespace torchgate::cli
