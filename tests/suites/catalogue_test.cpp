// SPDX-License-Identifier: Apache-2.0
// suites/README.md is the catalogue: one row for each group that a suite lists, and no other.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "tests/suites/programs.hpp"

namespace torchgate::suites::testing {
namespace {

// "| `fusion/gelu` | what it teaches |": the first two cells.
std::multimap<std::string, std::string> rows_of_catalogue() {
  std::ifstream page(std::string(TORCHGATE_TESTS_DIR) + "/../suites/README.md");
  const std::regex row(R"(^\| *`([a-z0-9_]+/[a-z0-9_]+)` *\|([^|]*)\|.*)");
  std::multimap<std::string, std::string> rows;
  std::smatch cells;
  for (std::string line; std::getline(page, line);)
    if (std::regex_match(line, cells, row)) rows.emplace(cells[1], cells[2]);
  return rows;
}

TEST(Catalogue, HasARowForEachGroup) {
  const auto rows = rows_of_catalogue();
  std::set<std::string> groups;
  for (const std::string& suite : suite_names()) {
    for (const auto& group : listing_of(suite, "full").groups) groups.insert(group.name);
  }
  for (const std::string& group : groups) {
    EXPECT_EQ(rows.count(group), 1U) << "suites/README.md, \"Catalogue\": expected one row for the group " << group
                                     << "; write \"| `" << group << "` | what it teaches |\"";
  }
  for (const auto& [group, teaches] : rows) {
    EXPECT_TRUE(groups.contains(group)) << "suites/README.md, \"Catalogue\": no suite has the group " << group
                                        << "; remove its row, or correct the name";
    EXPECT_NE(teaches.find_first_not_of(' '), std::string::npos) << "the row of " << group << " is empty";
  }
}

}  // namespace
}  // namespace torchgate::suites::testing
