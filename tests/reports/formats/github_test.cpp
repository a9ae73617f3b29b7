// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/github.hpp"

#include <gtest/gtest.h>

#include "tests/reports/model_parts.hpp"
#include "tests/reports/models.hpp"
#include "tests/reports/read_back.hpp"

namespace torchgate::reports {
namespace {

TEST(GithubAnnotations, NineAndHowManyMore) {
  const auto lines = lines_of(render_github(models::five_hundred_rows()));
  ASSERT_EQ(lines.size(), 10U);
  for (std::size_t i = 0; i < 9; ++i)
    EXPECT_TRUE(lines[i].starts_with("::error title=torchgate%3A regressed::")) << lines[i];
  EXPECT_NE(lines[0].find("number:499"), std::string::npos);  // the worst
  EXPECT_TRUE(lines[9].starts_with("::notice title=torchgate%3A FAIL::491 more: see the job summary.")) << lines[9];
}

TEST(GithubAnnotations, TenFindingsAreNineAndOneMore) {
  Report report = models::base();
  for (int i = 0; i < 10; ++i)
    report.findings.push_back(models::timed("a/" + std::to_string(i), Verdict::regressed, GateAction::fail, 1e6, 0.1));
  const auto lines = lines_of(render_github(report));
  ASSERT_EQ(lines.size(), 10U);
  EXPECT_NE(lines[9].find("::1 more:"), std::string::npos);
}

TEST(GithubAnnotations, FailuresBeforeWarningsWhateverTheyAreAbout) {
  const auto lines = lines_of(render_github(models::claims_broken()));
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_TRUE(lines[0].starts_with("::error title=torchgate%3A claim broken::memory/checkpoint/on"));
  EXPECT_TRUE(lines[1].starts_with("::warning title=torchgate%3A claim broken::fusion/conv_bn"));
}

TEST(GithubAnnotations, APassHasNone) {
  EXPECT_EQ(render_github(models::all_pass()), "");
}

TEST(GithubAnnotations, NoVerdictIsNotSilent) {
  EXPECT_TRUE(render_github(models::no_baseline()).starts_with("::warning title=torchgate%3A NO VERDICT::no baseline"));
}

// A long name must not leave a part of a number: "....95 ns".
TEST(GithubAnnotations, ALongNameIsShortenedAndNoNumberIs) {
  Report report = models::base();
  report.outcome = Outcome::fail;
  std::string name = "a/";
  for (int i = 0; i < 150; ++i) name += "long";
  report.findings = {models::timed(name, Verdict::regressed, GateAction::fail, 1.234e6, 0.1)};
  ClaimFinding claim = models::claims_broken().claims.front();
  claim.case_name = name;
  report.claims = {claim};
  const std::string text = render_github(report);
  EXPECT_NE(text.find("long: 1.234 ms → 1.357 ms (+10.0 %25)"), std::string::npos) << text;
  EXPECT_NE(text.find("long: at most 0.9000x, measured 0.9810x. "), std::string::npos) << text;
}

TEST(GithubAnnotations, ALongTextIsCutAtItsEnd) {
  Report report = models::base();
  report.outcome = Outcome::fail;
  Finding finding = models::timed("a", Verdict::regressed, GateAction::fail, 1.234e6, 0.1);
  std::string sentence = "because";
  for (int i = 0; i < 200; ++i) sentence += " of this";
  finding.reasons = {sentence};
  report.findings = {finding};
  const std::string text = render_github(report);
  EXPECT_NE(text.find("::a: 1.234 ms → 1.357 ms (+10.0 %25)"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with(" …\n")) << text;
}

// The runner's own decoding (actions/runner, ActionCommand): %25 last, so that "%250A" is the text "%0A".
TEST(GithubAnnotations, PercentSignsAreText) {
  Report report = models::base();
  report.outcome = Outcome::fail;
  report.findings = {models::timed("a%0A::error::x", Verdict::regressed, GateAction::fail, 1e6, 0.1)};
  const std::string text = render_github(report);
  EXPECT_NE(text.find("a%250A::error::x: "), std::string::npos) << text;
  EXPECT_EQ(lines_of(text).size(), 1U);
}

}  // namespace
}  // namespace torchgate::reports
