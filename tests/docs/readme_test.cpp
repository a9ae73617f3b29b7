// SPDX-License-Identifier: Apache-2.0
// The documents quote code and list settings: both are the real ones.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>

#include "ci/cli/command_table.hpp"
#include "ci/cli/exit_code.hpp"
#include "ci/policy/policy.hpp"

namespace {

using namespace torchgate;

std::string file(const std::string& name) {
  std::ifstream in(std::string(TORCHGATE_SOURCE_DIR) + "/" + name);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Readme, QuotesTheSuiteThatIsCompiled) {
  const std::string source = file("tests/docs/readme_suite.cpp");
  const auto code = source.substr(source.find("#include"));
  EXPECT_NE(file("harness/bench/README.md").find("```cpp\n" + code + "```"), std::string::npos)
      << "the first cpp block of harness/bench/README.md has to be tests/docs/readme_suite.cpp without its first line";
}

TEST(Readme, ListsEverySettingWithItsDefault) {
  std::string table;
  for (const policy::PolicyKey& key : policy::policy_keys()) {
    table += std::string("| `") + key.name + "` | `" + key.get(policy::Policy{}) + "` | " + key.description + " |\n";
  }
  EXPECT_NE(file("ci/policy/README.md").find(table), std::string::npos)
      << "the table in ci/policy/README.md has to be:\n"
      << table;
}

TEST(Readme, NamesEverySettingOfACase) {
  const std::string page = file("ci/policy/README.md");
  const std::size_t begin = page.find("[[case]]\nmatch");
  const std::string example = page.substr(begin, page.find("```", begin) - begin);
  for (const std::string& name : policy::case_setting_names())
    EXPECT_NE(example.find(name), std::string::npos) << name << " may stand in a [[case]] table";
}

// The words in backticks of the first cell of each row; "`baseline add`, `list`" are two commands below `baseline`.
std::set<std::string> commands_in(const std::string& table) {
  std::set<std::string> commands;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line) && line.starts_with("|");) {
    std::istringstream cell(line.substr(0, line.find('|', 1)));
    std::string above;
    std::string between;
    for (std::string word; std::getline(cell, between, '`') && std::getline(cell, word, '`');) {
      commands.insert(above + word);
      if (const auto space = word.find(' '); space != std::string::npos) above = word.substr(0, space + 1);
    }
  }
  return commands;
}

TEST(Readme, ListsEveryExitCode) {
  std::string table;
  for (const cli::ExitCodeRow& row : cli::exit_code_rows()) {
    table += "| " + std::to_string(static_cast<int>(row.code)) + " | " + row.meaning +
             (*row.examples == '\0' ? "" : std::string(": ") + row.examples) + " |\n";
  }
  EXPECT_NE(file("README.md").find(table), std::string::npos) << "the table in README.md has to be:\n" << table;
}

TEST(Readme, ListsEveryCommand) {
  std::set<std::string> commands;
  for (const cli::CommandRow& row : cli::command_rows()) {
    if (row.define != nullptr) commands.insert(row.name);
  }
  const std::string page = file("ci/cli/README.md");
  EXPECT_EQ(commands_in(page.substr(page.find("| command |"))), commands) << "the table in ci/cli/README.md";
}

}  // namespace
