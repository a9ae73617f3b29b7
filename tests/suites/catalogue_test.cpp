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

std::set<std::string> groups_in(const std::string& profile) {
  std::set<std::string> groups;
  for (const std::string& suite : suite_names()) {
    for (const auto& group : listing_of(suite, profile).groups) groups.insert(group.name);
  }
  return groups;
}

TEST(Catalogue, HasARowForEachGroup) {
  const auto rows = rows_of_catalogue();
  const auto groups = groups_in("full");
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

TEST(Catalogue, SaysNightlyOfTheGroupsThatOnlyFullRunsMeasure) {
  const auto groups = groups_in("default");
  for (const auto& [group, teaches] : rows_of_catalogue())
    EXPECT_EQ(teaches.find("Nightly") != std::string::npos, !groups.contains(group))
        << group << ": \"Nightly\" is said where the default profile has no case of the group, and nowhere else";
}

// "| M1 | in-place operators | `fusion/gelu`, ... |" under "Every optimisation": its last cell.
std::multimap<std::string, std::string> rows_of_optimisations() {
  std::ifstream page(std::string(TORCHGATE_TESTS_DIR) + "/../suites/README.md");
  const std::regex row(R"(^\| *([MGFCDLQSRE][0-9]+) *\|([^|]*)\|([^|]*)\|.*)");
  std::multimap<std::string, std::string> rows;
  std::smatch cells;
  for (std::string line; std::getline(page, line);)
    if (std::regex_match(line, cells, row)) rows.emplace(cells[1], cells[3]);
  return rows;
}

TEST(Optimisations, EachHasOneRowThatNamesWhatShowsItOrWhyNothingDoes) {
  const std::map<char, int> counts{{'M', 20}, {'G', 16}, {'F', 18}, {'C', 12}, {'D', 15},
                                   {'L', 10}, {'Q', 16}, {'S', 20}, {'R', 7},  {'E', 2}};
  const auto rows = rows_of_optimisations();
  for (const auto& [letter, count] : counts) {
    for (int number = 1; number <= count; ++number)
      EXPECT_EQ(rows.count(letter + std::to_string(number)), 1U) << letter << number;
  }
  EXPECT_EQ(rows.size(), 136U);
  const std::regex shown(
      R"(`[^`]+`|tests/[a-z0-9_/.]+|every (case|variant)|CUDA cases|metrics with|cannot [^|]*because)");
  for (const auto& [id, where] : rows) EXPECT_TRUE(std::regex_search(where, shown)) << id << ":" << where;
}

TEST(Optimisations, TheGroupsAndTestsThatTheyNameExist) {
  const auto groups = groups_in("full");
  const std::regex group(R"(`([a-z_]+/[a-z0-9_]+)`)");
  const std::regex file(R"((tests|suites)/[a-z0-9_/]+\.[a-z]+)");
  for (const auto& [id, where] : rows_of_optimisations()) {
    for (std::sregex_iterator found(where.begin(), where.end(), group), end; found != end; ++found)
      EXPECT_TRUE(groups.contains((*found)[1])) << id << ": no suite has the group " << (*found)[1];
    for (std::sregex_iterator found(where.begin(), where.end(), file), end; found != end; ++found)
      EXPECT_TRUE(std::ifstream(std::string(TORCHGATE_TESTS_DIR) + "/../" + found->str()).good())
          << id << ": " << found->str();
  }
}

}  // namespace
}  // namespace torchgate::suites::testing
