// SPDX-License-Identifier: Apache-2.0
// What the help, the manual page and the completion of shells know of a command: what its row of the table and its options say.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "ci/cli/command_table.hpp"

namespace torchgate::cli {

/// What an argument of a command is, and an option with its value.
struct OptionPage {
  std::vector<std::string> names;  ///< "--output", "-o"; of an argument its own name in capitals: "RUN"
  std::string value;               ///< "FILE"; empty: a flag, or an argument
  std::string help;
  std::string parsed_as;           ///< its name in the declaration: "run"
  std::vector<std::string> words;  ///< the values that it takes; empty: others than a fixed list
  bool is_argument = false;
  bool required = false;
  bool repeats = false;
  bool hidden = false;  ///< an old name: understood, not shown
};

/// A page stays where it is while options are added to it: a command's declarations hold addresses of its rows.
struct CommandPage {
  const CommandRow* row = nullptr;
  std::deque<OptionPage> options;  ///< in the order of their declaration
  std::string footer;              ///< empty: the exit codes of every command

  [[nodiscard]] std::string_view name() const { return row->name; }
};

/// All commands, and what every command takes.
struct CommandPages {
  std::deque<CommandPage> commands;  ///< in the order of the table
  CommandPage common;                ///< without a row: its options are those of every command
};

/// "torchgate gate [RUN] [OPTION]...".
std::string usage(const CommandPage& page);

/// What completes a value that is named so.
enum class ValueKind { other, file, folder, run };
ValueKind value_kind(std::string_view value);

/// The page of `baseline add`; nullptr: there is none.
const CommandPage* find_page(const CommandPages& pages, std::string_view name);

/// "baseline add" is below "baseline": pages whose name begins with that of PAGE.
std::vector<const CommandPage*> pages_below(const CommandPages& pages, const CommandPage& page);

}  // namespace torchgate::cli
