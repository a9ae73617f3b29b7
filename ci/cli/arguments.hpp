// SPDX-License-Identifier: Apache-2.0
// From the command line to what it asks for.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "ci/cli/command_table.hpp"
#include "ci/workflow/workspace/policy_source.hpp"

namespace torchgate::cli {

/// Printed and done: help, version, or a complaint about usage.
struct Message {
  std::string text;
  bool is_error = false;
};

/// A command, and the policy that it runs under.
struct Chosen {
  Invocation invocation;
  Trust trust;
  workflow::PolicyChoice policy;
};

std::variant<Message, Chosen> parse_arguments(const std::vector<std::string>& arguments);

}  // namespace torchgate::cli
