// SPDX-License-Identifier: Apache-2.0
#include "ci/policy/triage_file.hpp"

#include <gtest/gtest.h>

namespace {

using namespace torchgate;
using namespace std::chrono_literals;
using policy::TriageEntry;
using policy::TriageState;

constexpr const char* whole_entry =
    "[[cause]]\ncommit = \"1a2b3c4d5e6f\"\nstate = \"investigating\"\nowner = \"ann-b\"\ndue = 2027-01-31\n";

std::string complaint_about(const std::string& text) {
  const auto read = policy::parse_triage(text, "/p/torchgate-triage.toml");
  return read.ok() ? "" : read.error().message;
}

// The whole entry with one line replaced; without it when `line` is empty.
std::string entry_with(const std::string& key, const std::string& line) {
  std::string text = whole_entry;
  const auto begin = text.find(key + " = ");
  const auto end = text.find('\n', begin) + 1;
  return text.replace(begin, end - begin, line.empty() ? "" : line + "\n");
}

void expect_complaint(const std::string& text, const std::string& part) {
  EXPECT_NE(complaint_about(text).find(part), std::string::npos) << text << "gave: " << complaint_about(text);
}

TEST(TriageFile, IsRead) {
  const auto read =
      policy::parse_triage(std::string("# why\n") + whole_entry + "[[cause]]\ncommit = \"" + std::string(40, 'b') +
                               "\"\nstate = \"accepted\"\nowner = \"c\"\nreason = \"exact erf\"\n",
                           "/p/t.toml");
  ASSERT_TRUE(read.ok()) << read.error().message;
  ASSERT_EQ(read->size(), 2U);
  EXPECT_EQ(read->at(0),
            (TriageEntry{"1a2b3c4d5e6f", TriageState::investigating, "ann-b", 2027y / 1 / 31, "", "t.toml:2"}));
  EXPECT_EQ(read->at(1).state, TriageState::accepted);
  EXPECT_EQ(read->at(1).reason, "exact erf");
  EXPECT_TRUE(policy::parse_triage("# nothing yet\n", "t.toml").value().empty());
  for (const char* state : {"acknowledged", "investigating", "fixed"})
    EXPECT_EQ(complaint_about(entry_with("state", std::string("state = \"") + state + '"')), "") << state;
}

TEST(TriageFile, IsAboutACommitUntilItsLastDay) {
  const TriageEntry entry = policy::parse_triage(whole_entry, "t.toml")->front();
  EXPECT_TRUE(entry.is_about("1a2b3c4d5e6f" + std::string(28, '0')));
  EXPECT_FALSE(entry.is_about("1a2b3c4d5e60" + std::string(28, '0')));
  EXPECT_FALSE(entry.is_overdue(2027y / 1 / 31));
  EXPECT_TRUE(entry.is_overdue(2027y / 2 / 1));
  TriageEntry accepted = entry;
  accepted.state = TriageState::accepted;
  EXPECT_FALSE(accepted.is_overdue(2027y / 2 / 1));
  EXPECT_TRUE(accepted.closes());
  EXPECT_FALSE(entry.closes());
}

TEST(TriageFile, ComplaintsNameFileLineAndFix) {
  expect_complaint(entry_with("commit", ""), "/p/torchgate-triage.toml:1: [[cause]]: missing key \"commit\"");
  expect_complaint(entry_with("state", ""), "missing key \"state\"");
  expect_complaint(entry_with("owner", ""), "missing key \"owner\"; state \"investigating\" requires it");
  expect_complaint(entry_with("due", ""), "missing key \"due\"");
  expect_complaint(entry_with("state", "state = \"accepted\""),
                   "missing key \"reason\"; state \"accepted\" requires it");
  expect_complaint(entry_with("state", "state = \"invalid\""), "missing key \"reason\"");
  expect_complaint(entry_with("state", "state = \"invetigating\""),
                   ":3: unknown state \"invetigating\"; did you mean \"investigating\"?");
  expect_complaint(entry_with("due", "dew = 2027-01-31"), ":5: [[cause]]: unknown key \"dew\"; did you mean \"due\"?");
  expect_complaint(entry_with("due", "due = \"2027-01-31\""), "due takes a date without quotes");
  expect_complaint(entry_with("commit", "commit = \"1a2b3c4\""), "12 to 64 hexadecimal digits");
  expect_complaint(entry_with("commit", "commit = \"1A2B3C4D5E6F\""), "lower case");
  for (const char* owner : {"@ann", "acme/team", "-ann", "a b", "a\\nb"})
    expect_complaint(entry_with("owner", std::string("owner = \"") + owner + '"'), "owner takes a GitHub login");
  expect_complaint(std::string(whole_entry) + whole_entry,
                   ":6: commit 1a2b3c4d5e6f is already in torchgate-triage.toml:1");
  expect_complaint(std::string(whole_entry) + entry_with("commit", "commit = \"1a2b3c4d5e6f70\""), "is already in");
  expect_complaint("[cause]\n", "has only [[cause]] tables");
  expect_complaint("[[waiver]]\n", "has only [[cause]] tables");
}

}  // namespace
