// SPDX-License-Identifier: Apache-2.0
// What completes torchgate's commands, options and values in a shell: a script per shell, made from the table of commands.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "ci/cli/command_page.hpp"

namespace torchgate::cli {

struct Shell {
  const char* name;
  std::string (*script)(const CommandPages&);
};

/// bash, fish and zsh. The scripts take the names of saved runs from .torchgate/runs and start no program.
std::span<const Shell> shells();

/// nullptr: no shell has this name.
const Shell* find_shell(std::string_view name);

std::string bash_completion(const CommandPages& pages);
std::string fish_completion(const CommandPages& pages);
std::string zsh_completion(const CommandPages& pages);

}  // namespace torchgate::cli
