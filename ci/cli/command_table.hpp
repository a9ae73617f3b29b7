// SPDX-License-Identifier: Apache-2.0
// All commands, one row each.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "ci/cli/console.hpp"
#include "ci/cli/options.hpp"
#include "ci/policy/policy.hpp"

namespace torchgate::cli {

/// Runs a command whose options were parsed: printing done, exit code out.
using Invocation = std::function<ExitCode(const policy::Policy&, const Console&)>;

/// FUNCTION with what the options of COMMAND were set to.
template <class Command>
Invocation invocation(std::shared_ptr<Command> command,
                      ExitCode (*function)(const Command&, const policy::Policy&, const Console&)) {
  return [=](const policy::Policy& policy, const Console& console) { return function(*command, policy, console); };
}
template <class Command>
Invocation invocation(std::shared_ptr<Command> command, ExitCode (*function)(const Command&, const Console&)) {
  return [=](const policy::Policy&, const Console& console) { return function(*command, console); };
}

/// What a change under review may not bring to a command.
enum class Trust {
  anything,     ///< it may bring everything
  stored_runs,  ///< not the store: refused where HEAD tracks it
  measures,     ///< not the policy, which is that of the base branch; it may add to run.suites
  verdict,      ///< neither the store nor the policy
};

/// What a person wants who calls a command: the headings of `torchgate --help`.
enum class Purpose { measure, judge, understand, in_ci, this_program };
const char* heading(Purpose purpose);

/// The settings of a project: read before a command runs, or not at all.
enum class Settings { read, unread };

struct CommandRow {
  const char* name;  ///< "baseline add": a command below another one
  Purpose purpose;
  const char* help;     ///< one line
  const char* example;  ///< what its help begins with: lines of a shell, each with what it does behind " # "
  /// Declares the options, in commands/<name>.cpp. nullptr: only the commands below it can be called.
  Invocation (*define)(Options&) = nullptr;
  Trust trust = Trust::anything;
  Settings settings = Settings::read;
};

/// In the order of `torchgate --help`: those of one purpose are neighbours.
std::span<const CommandRow> command_rows();

}  // namespace torchgate::cli
