// SPDX-License-Identifier: Apache-2.0
// From the command line to what it asks for.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "ci/cli/command_page.hpp"
#include "ci/cli/command_table.hpp"
#include "ci/workflow/workspace/policy_source.hpp"
#include "harness/base/result.hpp"

namespace torchgate::cli {

/// Printed and done: help, version, or a complaint about usage.
struct Message {
  std::string text;
  bool is_error = false;
};

/// --color.
enum class ColorChoice { automatic, always, never };

/// A command, and the policy that it runs under.
struct Chosen {
  std::function<base::Result<void>()> beginning;  ///< before the policy is read; empty: nothing
  Invocation invocation;
  const CommandRow* row;
  workflow::PolicyChoice policy;
  ColorChoice color;
};

/// Help is laid out for WIDTH columns.
std::variant<Message, Chosen> parse_arguments(const std::vector<std::string>& arguments, std::size_t width);

/// What help says of all commands.
CommandPages command_pages();

}  // namespace torchgate::cli
