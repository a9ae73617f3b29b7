// SPDX-License-Identifier: Apache-2.0
// The real git, as the tests of this folder make repositories with it.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "harness/process/process.hpp"

namespace torchgate::git::testing {

/// git as a user would call it in FOLDER, without that user's configuration; the last line it printed. A failure of the test where it ends with
/// another exit code than 0.
inline std::string run_git(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                           const std::vector<record::Parameter>& environment = {}) {
  process::Command command;
  command.executable = "/usr/bin/env";
  command.arguments = {
      "git", "-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always"};
  command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
  command.environment = {{"GIT_CONFIG_GLOBAL", "/dev/null"}, {"GIT_CONFIG_SYSTEM", "/dev/null"}};
  command.environment.insert(command.environment.end(), environment.begin(), environment.end());
  command.working_directory = folder;
  const auto outcome = process::run_process(command);
  EXPECT_EQ(outcome.exit_code, 0) << arguments.at(0) << ": " << outcome.tail << outcome.error;
  std::string text = outcome.tail;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace torchgate::git::testing
