// SPDX-License-Identifier: Apache-2.0
// The documents quote code and list settings: both are the real ones.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

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

}  // namespace
