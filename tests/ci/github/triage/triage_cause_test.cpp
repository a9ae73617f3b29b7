// SPDX-License-Identifier: Apache-2.0
#include "ci/github/triage/triage_cause.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ci/github/triage/triage_text.hpp"
#include "tests/ci/github/triage/triage_models.hpp"

namespace torchgate::github {
namespace {

using namespace torchgate::testing;

TEST(Causes, AreTheRegressedCasesOfAReportSlowestFirst) {
  auto findings = {finding("g/small", "regressed", 0.1), finding("g/suspect", "suspected", 0.9),
                   finding("g/large", "regressed", 0.5), finding("g/faster", "improved", -0.5)};
  ReportedFinding waived = finding("g/waived", "regressed", 0.7);
  waived.action = "pass";
  SavedReport saved = report(findings);
  saved.findings.push_back(waived);
  const auto found = cause_of(saved, "report.json").value();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->commit, cause_hash);
  EXPECT_EQ(found->before, before_hash);
  ASSERT_EQ(found->cases.size(), 2U);
  EXPECT_EQ(found->cases[0].name, "g/large");
  EXPECT_EQ(found->cases[1].name, "g/small");
  EXPECT_EQ(found->cases[0].why, "why: aten::mm has other inputs, 98 % of the added time");
  EXPECT_FALSE(cause_of(report({finding("g/same", "equivalent", 0)}), "report.json").value());
}

// Its pairs were lost; the next commit is compared with its run, and has nothing to report.
TEST(Causes, ASuspectThatFailedTheBuildIsOne) {
  ReportedFinding suspect = finding("g/suspect", "suspected", 0.4);
  EXPECT_FALSE(cause_of(report({suspect}), "report.json").value());
  suspect.action = "fail";
  const auto found = cause_of(report({suspect}), "report.json").value();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->cases.front().name, "g/suspect");
}

TEST(Causes, HigherIsBetterIsSlowerWithLess) {
  ReportedFinding rate = finding("g/rate", "regressed", -0.5);
  rate.lower_is_better = false;
  const Cause both = cause({finding("g/time", "regressed", 0.6), rate});
  EXPECT_EQ(both.cases[0].name, "g/rate");
  EXPECT_DOUBLE_EQ(worse_by(both.cases[0]), 1.0);
}

TEST(Causes, NeedACleanCommit) {
  SavedReport saved = report({finding("g/one", "regressed", 0.1)});
  saved.modified = true;
  EXPECT_FALSE(cause_of(saved, "report.json"));
  saved.modified = false;
  saved.commit.reset();
  EXPECT_FALSE(cause_of(saved, "report.json"));
  saved.commit = "HEAD; rm -rf .";
  EXPECT_FALSE(cause_of(saved, "report.json"));
  saved.findings.clear();
  EXPECT_TRUE(cause_of(saved, "report.json")) << "nothing regressed: the commit does not matter";
}

TEST(Causes, AReportSinceAPinHasNone) {
  SavedReport saved = report({finding("g/one", "regressed", 0.1)});
  ASSERT_TRUE(cause_of(saved, "report.json").value());
  saved.since_pin = true;
  const auto refused = cause_of(saved, "report.json");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("a report of `gate --since`"), std::string::npos);
}

TEST(Causes, AreReadBackFromTheLineTheyAreKeptIn) {
  Cause hostile = cause({finding("g/--> <script> @all #1 \n```\\ \xff é", "regressed", 0.3)});
  hostile.commits = {{cause_hash, "2026-11-22", "Ann -->", "subject <!-- torchgate-cause {}"}};
  hostile.more_commits = true;
  hostile.sampling = {"full; rm -rf ~", std::nullopt, 7};
  hostile.cases[0].pairs = PairsAnswer{"equivalent", -1e-7, reports::Interval{-0.01, 0.01, 0.9}, later_hash};
  const std::string line = cause_line(hostile);
  EXPECT_EQ(line.find_first_of("\n@#"), std::string::npos);
  EXPECT_EQ(line.find("-->"), line.size() - 3);
  const auto again = cause_in("above\n<!-- torchgate-cause {} -->\n\n" + line + "\r\n");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(cause_line(*again), line);
  EXPECT_EQ(again->sampling, hostile.sampling);
  EXPECT_EQ(again->cases[0].pairs->commit, later_hash);
  EXPECT_DOUBLE_EQ(*again->cases[0].pairs->change, -1e-7);
}

TEST(Causes, ThatWereEditedAreAnError) {
  const std::string line = '\n' + cause_line(cause({finding("g/one", "regressed", 0.3)}));
  ASSERT_TRUE(cause_in(line));
  const auto edited = [&](const std::string& what, const std::string& with) {
    std::string text = line;
    return cause_in(text.replace(text.find(what), what.size(), with));
  };
  EXPECT_FALSE(edited(before_hash, "$(touch x)"));
  EXPECT_FALSE(edited(cause_hash, "main"));
  EXPECT_FALSE(edited("\"lower\":true", "\"lower\":7"));
  EXPECT_FALSE(edited("\"version\":1", "\"version\":2"));
  EXPECT_FALSE(edited("{\"before\"", "[[[["));
  EXPECT_FALSE(edited(" -->", ""));
  EXPECT_FALSE(cause_in("no data"));
}

TEST(Causes, KeepTheSlowestCasesThatAnIssueHasRoomFor) {
  std::vector<ReportedFinding> many;
  for (int i = 0; i < 1000; ++i) many.push_back(finding(fmt::format("g/case_{:04}", i), "regressed", 0.001 * i + 0.05));
  const Cause shortened = cause(many);
  EXPECT_EQ(shortened.case_count(), 1000);
  EXPECT_GT(shortened.unlisted, 0);
  EXPECT_EQ(shortened.cases.front().name, "g/case_0999");
  EXPECT_LE(cause_line(shortened).size(), most_cause_bytes);
  EXPECT_GT(cause_line(shortened).size(), most_cause_bytes - 1000);
  EXPECT_EQ(merged(shortened, shortened).unlisted, shortened.unlisted);
}

TEST(Causes, CutLongTextsOfCommitsAndLeaveRoomForCases) {
  Cause long_range = cause({finding("g/one", "regressed", 0.3)});
  std::string text(199, 'x');
  text += "\u00e9" + std::string(70'000, '<');
  long_range.commits.assign(20, {cause_hash, "2026-11-22", text, text});
  shorten(long_range);
  EXPECT_EQ(long_range.cases.size(), 1U);
  EXPECT_EQ(long_range.commits.front().subject, std::string(197, 'x') + "...");
  EXPECT_LE(cause_line(long_range).size(), most_cause_bytes);
  const std::string once = cause_line(long_range);
  shorten(long_range);
  EXPECT_EQ(cause_line(long_range), once);

  long_range.commits.assign(20, {cause_hash, "2026-11-22", "Ann", std::string(200, '<')});
  shorten(long_range);
  EXPECT_LT(long_range.commits.size(), 20U);
  EXPECT_GE(long_range.commits.size(), 3U);
  EXPECT_TRUE(long_range.more_commits);
  EXPECT_LE(issue_text(long_range, nullptr, {}, 60'000).size(), 60'000U);
}

// The second one lists fewer cases, since it has the commits, and others, since it is of another machine.
TEST(Causes, CountACaseOnceThatIsNotAlwaysListed) {
  std::vector<ReportedFinding> many;
  for (int i = 0; i < 300; ++i) many.push_back(finding(fmt::format("g/case_{:04}", i), "regressed", 0.001 * i + 0.05));
  const Cause first = cause(many);
  for (ReportedFinding& each : many) each.change = 0.4 - *each.change;
  Cause second = cause(many);
  second.commits.assign(20, {cause_hash, "2026-11-22", "Ann", "subject"});
  shorten(second);
  ASSERT_GT(first.unlisted, 0);
  Cause known = first;
  for (int i = 0; i < 3; ++i) {
    known = merged(known, second);
    known = merged(known, first);
    EXPECT_EQ(known.case_count(), 300);
  }
}

TEST(Causes, OfTwoMachinesAreMerged) {
  Cause known = cause({finding("g/one", "regressed", 0.3), finding("g/two", "regressed", 0.2)});
  known.cases[1].pairs = PairsAnswer{"equivalent", 0, {}, later_hash};
  const Cause both = merged(known, cause({finding("g/two", "regressed", 0.4), finding("g/three", "regressed", 0.1)}));
  ASSERT_EQ(both.cases.size(), 3U);
  EXPECT_EQ(both.cases[0].name, "g/two");
  EXPECT_DOUBLE_EQ(*both.cases[0].change, 0.4);
  EXPECT_TRUE(both.cases[0].repaired()) << "what pairs said stays";
  EXPECT_EQ(both.cases[1].name, "g/one");
}

}  // namespace
}  // namespace torchgate::github
