// SPDX-License-Identifier: Apache-2.0
// The file of waivers, what is appended to it, and what a change of the policy comes to.
#include "ci/policy/waivers.hpp"

#include <gtest/gtest.h>

#include "ci/policy/policy_changes.hpp"
#include "ci/policy/waiver_of_finding.hpp"

namespace {

using namespace torchgate;
using policy::Waiver;
using namespace std::chrono_literals;

constexpr const char* whole =
    "[[waiver]]\ncase = \"g/one/v\"\nmetric = \"time\"\nceiling = 0.12\nreason = \"better output\"\nexpires = "
    "2027-01-31\n";

std::string complaint(const std::string& text) {
  const auto read = policy::parse_waivers(text, "/p/torchgate-waivers.toml");
  return read.ok() ? "" : read.error().message;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The whole waiver with one line replaced; without it when `line` is empty.
std::string with(const std::string& key, const std::string& line) {
  std::string text = whole;
  const auto begin = text.find(key + " = ");
  const auto end = text.find('\n', begin) + 1;
  return text.replace(begin, end - begin, line.empty() ? "" : line + "\n");
}

TEST(WaiverFile, IsRead) {
  const auto read =
      policy::parse_waivers(std::string("# why\n") + whole + "by = \"A\"\ncommit = \"1a2b3c4\"\n", "/p/w.toml");
  ASSERT_TRUE(read.ok()) << read.error().message;
  ASSERT_EQ(read->size(), 1U);
  EXPECT_EQ(read->front(),
            (Waiver{"g/one/v", "time", 0.12, "better output", 2027y / 1 / 31, "A", "1a2b3c4", "w.toml:2"}));
  EXPECT_TRUE(policy::parse_waivers("# nothing yet\n", "w.toml").value().empty());
}

// Such a number has no double of exactly its value, and once was whatever stood in memory.
TEST(WaiverFile, TakesAWholeNumberBeyond2ToThe53) {
  const auto read = policy::parse_waivers(with("ceiling", "ceiling = 222244444442222213"), "/p/w.toml");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->front().ceiling, 222244444442222213.0);
}

TEST(WaiverFile, ACeilingOf0IsTheLowestValueOfAMetricOfWhichMoreIsBetter) {
  EXPECT_EQ(policy::parse_waivers(with("ceiling", "ceiling = 0"), "/p/w.toml").value().front().ceiling, 0);
}

TEST(WaiverFile, MissingIsInThePlaceOfACeiling) {
  const auto read = policy::parse_waivers(with("ceiling", "missing = true"), "/p/w.toml");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_TRUE(read->front().missing);
  EXPECT_EQ(policy::parse_waivers(policy::waiver_text(read->front()), "/p/w.toml").value(), read.value());
  EXPECT_TRUE(
      contains(complaint(std::string(whole) + "missing = true\n"), ":1: [[waiver]]: has both ceiling and missing"));
  EXPECT_TRUE(contains(complaint(with("ceiling", "missing = false")), ":4: missing takes true"));
  EXPECT_TRUE(contains(complaint(with("ceiling", "missing = 1")), ":4: missing takes true"));
}

TEST(WaiverFile, ComplaintsNameFileLineAndCure) {
  EXPECT_TRUE(
      contains(complaint(with("reason", "")), "/p/torchgate-waivers.toml:1: [[waiver]]: missing key \"reason\""));
  for (const char* key : {"case", "metric", "ceiling", "expires"})
    EXPECT_TRUE(contains(complaint(with(key, "")), std::string("missing key \"") + key)) << key;
  EXPECT_TRUE(contains(complaint(with("ceiling", "ceiling = -0.1")), ":4: ceiling takes a number of at least 0"));
  EXPECT_TRUE(contains(complaint(with("ceiling", "ceiling = nan")), "ceiling takes"));
  EXPECT_TRUE(contains(complaint(with("reason", "reason = \" \"")), "reason takes a non-empty string"));
  EXPECT_TRUE(contains(complaint(with("expires", "expires = \"2027-01-31\"")), "expires takes a date without quotes"));
  EXPECT_TRUE(contains(complaint(with("case", "cases = \"x\"")), "unknown key \"cases\"; did you mean \"case\"?"));
  EXPECT_TRUE(
      contains(complaint(std::string(whole) + whole), ":7: duplicate waiver for g/one/v (time), already in line 1"));
  for (const char* commit : {"abcdef", "ABCDEF0", "feature", "HEAD", "", " "})
    EXPECT_TRUE(contains(complaint(std::string(whole) + "commit = \"" + commit + "\"\n"),
                         ":7: commit takes a commit's hash, 7 to 64 hexadecimal digits in lower case"))
        << commit;
  EXPECT_TRUE(contains(complaint(std::string(whole) + "commit = 1234567\n"), ":7: commit takes a commit's hash"));
  EXPECT_TRUE(contains(complaint("[waiver]\n"), "has only [[waiver]] tables"));
  EXPECT_TRUE(contains(complaint("[[waiver]\n"), "/p/torchgate-waivers.toml:1: "));
}

TEST(WaiverFile, WhatIsAppendedReadsBackAndTheRestStays) {
  Waiver hostile{"g/\"one\"\\\x01/v", "time", 0.07, "line\nbreak # é", 2028y / 2 / 29, std::nullopt, "abcdef0", ""};
  const std::string before = std::string("# kept,  as it is\r\n") + whole + "# no newline at the end";
  const auto text = policy::append_waivers(before, {hostile}, "w.toml");
  ASSERT_TRUE(text.ok()) << text.error().message;
  EXPECT_EQ(text->substr(0, before.size()), before);
  auto read = policy::parse_waivers(*text, "w.toml").value();
  ASSERT_EQ(read.size(), 2U);
  read[1].place.clear();
  EXPECT_EQ(read[1], hostile);

  Waiver again = hostile;
  again.case_name = "g/one/v";
  const auto refused = policy::append_waivers(before, {again}, "w.toml");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message,
            "w.toml: already has a waiver for g/one/v (time); remove the waiver in line 2, then accept again");
  const auto of_commit = policy::append_waivers(*text, {hostile, again}, "w.toml");
  EXPECT_TRUE(contains(of_commit.error().message, "remove the waivers in lines 2, ")) << of_commit.error().message;
  EXPECT_TRUE(contains(policy::append_waivers("", {again, again}, "w.toml").error().message, "duplicate waiver"));
  EXPECT_EQ(policy::parse_waivers(policy::append_waivers("", {again}, "w.toml").value(), "w.toml").value().size(), 1U);
}

TEST(WaiverFile, OneOfAPinStandsBesideOneOfTheBaseline) {
  const std::string plain =
      "[[waiver]]\ncase = \"g/v\"\nmetric = \"time\"\nceiling = 0.5\nreason = \"r\"\nexpires = 2027-01-31\n";
  const auto both = policy::parse_waivers(plain + plain + "since = \"v1\"\n", "w.toml");
  ASSERT_TRUE(both) << both.error().message;
  ASSERT_EQ(both->size(), 2U);
  const policy::Waiver& first = both->front();
  const policy::Waiver& second = both->back();
  EXPECT_EQ(second.since, "v1");
  EXPECT_TRUE(policy::waiver_text(second).ends_with("since = \"v1\"\n"));
  EXPECT_TRUE(policy::is_for(first, *both, std::nullopt));
  EXPECT_FALSE(policy::is_for(second, *both, std::nullopt));
  EXPECT_FALSE(policy::is_for(first, *both, "v1"));
  EXPECT_TRUE(policy::is_for(second, *both, "v1"));
  EXPECT_TRUE(policy::is_for(first, *both, "v2"));
  EXPECT_FALSE(policy::parse_waivers(plain + plain, "w.toml"));
  std::vector<policy::Waiver> replaced = *both;
  policy::replace_waivers(replaced, {second});
  EXPECT_EQ(replaced.size(), 2U);
}

TEST(Accepting, ACeilingCoversWhatWasMeasured) {
  EXPECT_DOUBLE_EQ(policy::waiver_ceiling({}, 0.127, false).value(), 0.13);
  EXPECT_DOUBLE_EQ(policy::waiver_ceiling({}, 1.12 - 1, false).value(), 0.12);
  EXPECT_DOUBLE_EQ(policy::waiver_ceiling({}, 0.002, false).value(), 0.01);
  EXPECT_DOUBLE_EQ(policy::waiver_ceiling({}, 4096, true).value(), 4096);
  EXPECT_DOUBLE_EQ(policy::waiver_ceiling("15%", 0.127, false).value(), 0.15);
  EXPECT_DOUBLE_EQ(policy::waiver_ceiling("15 %", 0.127, false).value(), 0.15);
  EXPECT_DOUBLE_EQ(policy::waiver_ceiling("0.15", 0.127, false).value(), 0.15);
  EXPECT_DOUBLE_EQ(policy::waiver_ceiling("5000", 4096, true).value(), 5000);
  EXPECT_TRUE(contains(policy::waiver_ceiling("12%", 0.127, false).error().message, "below the measured 12.7 %"));
  for (const char* wrong : {"", "%", "much", "-1%", "0", "12%%", "nan", "1e400"})
    EXPECT_FALSE(policy::waiver_ceiling(wrong, 0.001, false).ok()) << wrong;
  EXPECT_FALSE(policy::waiver_ceiling("12%", 5, true).ok());
  EXPECT_FALSE(policy::waiver_ceiling("0", 0, true).ok());
}

// "20" without its % is 2000 %: what --gate 5 is refused for.
TEST(Accepting, ACeilingThatLooksLikePerCentHasItsSign) {
  EXPECT_EQ(policy::waiver_ceiling("20", 0.15, false).error().message,
            "--ceiling 20: accepts a slow-down of 2000 %; use 20% or 0.2, or 2000% if that is intended");
  EXPECT_FALSE(policy::waiver_ceiling("1", 0.002, false).ok());
  EXPECT_FALSE(policy::waiver_ceiling("200", 1.5, false).ok()) << "200 % covers it, too";
  EXPECT_DOUBLE_EQ(policy::waiver_ceiling("2", 1.5, false).value(), 2) << "2 % does not";
  EXPECT_DOUBLE_EQ(policy::waiver_ceiling("2000%", 0.15, false).value(), 20);
  EXPECT_DOUBLE_EQ(policy::waiver_ceiling("20", 15, true).value(), 20);
}

// The report shows -23.1 % of it, and the ceiling is of the time that it takes.
TEST(Accepting, OfARateBothNumbersAreNamed) {
  EXPECT_EQ(policy::waiver_ceiling("24%", 0.3004, false, false).error().message,
            "--ceiling 24%: below the measured slow-down of 30.04 % (of a rate: before / after - 1, its change is "
            "-23.1 %); use a larger ceiling");
}

TEST(Accepting, WhereLargerValuesAreBetterTheCeilingIsTheLowestValue) {
  const auto ceiling = [](const std::optional<std::string>& asked, double measured) {
    return policy::waiver_ceiling(asked, measured, true, false);
  };
  EXPECT_DOUBLE_EQ(ceiling({}, 90).value(), 90);
  EXPECT_DOUBLE_EQ(ceiling({}, 0).value(), 0);
  EXPECT_DOUBLE_EQ(ceiling("80", 90).value(), 80);
  EXPECT_DOUBLE_EQ(ceiling("0", 90).value(), 0);
  EXPECT_TRUE(contains(ceiling("91", 90).error().message, "above the measured 90, and larger values are better"));
  EXPECT_FALSE(ceiling("-1", 90).ok());
  EXPECT_DOUBLE_EQ(policy::waiver_ceiling("15%", 0.127, false, false).value(), 0.15) << "of a rate, a share";
}

TEST(Accepting, AnExpiryIsADateOrDays) {
  const auto today = 2026y / 11 / 21;
  EXPECT_EQ(policy::waiver_expiry({}, today).value(), 2027y / 2 / 19);
  EXPECT_EQ(policy::waiver_expiry("10d", today).value(), 2026y / 12 / 1);
  EXPECT_EQ(policy::waiver_expiry("2026-11-21", today).value(), today);
  for (const char* wrong : {"2026-11-20", "2027-02-29", "d", "0d", "-3d", "90", "90 d", "999999d", "tomorrow"})
    EXPECT_FALSE(policy::waiver_expiry(wrong, today).ok()) << wrong;
}

TEST(Waivers, ReplaceThoseOfTheSameCaseAndMetric) {
  const auto waiver = [](const char* name, const char* metric, double ceiling) {
    return Waiver{name, metric, ceiling, "r", 2027y / 1 / 31, {}, {}, ""};
  };
  std::vector<Waiver> waivers{waiver("a", "time", 0.1), waiver("a", "cpu_time", 0.2), waiver("b", "time", 0.3)};
  policy::replace_waivers(waivers, {waiver("c", "time", 0.4), waiver("a", "time", 0.5)});
  const std::vector<Waiver> expected{waiver("a", "cpu_time", 0.2), waiver("b", "time", 0.3), waiver("c", "time", 0.4),
                                     waiver("a", "time", 0.5)};
  EXPECT_EQ(waivers, expected);
  policy::replace_waivers(waivers, {});
  EXPECT_EQ(waivers, expected);
}

TEST(PolicyChanges, ListWhatIsJudgedDifferently) {
  policy::Policy before;
  policy::Policy after;
  EXPECT_EQ(policy::policy_changes(before, after), "");
  after.waivers_file = "/elsewhere/torchgate-waivers.toml";
  EXPECT_EQ(policy::policy_changes(before, after), "") << "what it says is compared, not where it is";
  after.latency = 0.5;
  after.waivers = {Waiver{"g/one/v", "time", 0.12, "r", 2027y / 1 / 31, {}, {}, "w.toml:2"}};
  EXPECT_EQ(policy::policy_changes(before, after), "gate.latency 0.05 -> 0.5; 1 waiver added");
  policy::Policy elsewhere = before;
  elsewhere.store = "postgresql://ci:hunter2@db/store";
  EXPECT_EQ(policy::policy_changes(before, elsewhere), "baseline.store changed");
  before = after;
  after.waivers.front().place = "w.toml:7";
  EXPECT_EQ(policy::policy_changes(before, after), "") << "moved within the file";
  after.waivers.front().ceiling = 9;
  EXPECT_EQ(policy::policy_changes(before, after), "1 waiver added; 1 waiver removed");
  after = before;
  after.case_rules = {policy::CaseRule{"a", false, {}, {}, ""}, policy::CaseRule{"b", false, {}, {}, ""}};
  EXPECT_EQ(policy::policy_changes(before, after), "2 [[case]] tables added");
  before.case_rules = {after.case_rules[1], after.case_rules[0]};
  EXPECT_EQ(policy::policy_changes(before, after), "order of the [[case]] tables changed");
}

}  // namespace
