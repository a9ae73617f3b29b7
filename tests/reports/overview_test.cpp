// SPDX-License-Identifier: Apache-2.0
#include "reports/overview.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "reports/facts/about_tests.hpp"
#include "reports/formats/registry.hpp"
#include "reports/formats/terminal.hpp"
#include "tests/reports/models.hpp"

namespace torchgate::reports {
namespace {

Finding finding(const std::string& name, Verdict verdict, GateAction action, std::optional<double> change = {}) {
  Finding made;
  made.case_name = name;
  made.metric.name = "time";
  made.metric.primary = true;
  made.verdict = verdict;
  made.action = action;
  made.change = change;
  return made;
}

std::vector<std::string> names(const std::vector<const Finding*>& findings) {
  std::vector<std::string> names;
  for (const Finding* each : findings) names.push_back(each->case_name);
  return names;
}

TEST(Overview, ListsWhatFailsBeforeWhatWarnsThenTheLargerChange) {
  Report report;
  report.findings = {finding("improved", Verdict::improved, GateAction::pass, -0.5),
                     finding("warns", Verdict::regressed, GateAction::warn, 0.9),
                     finding("small", Verdict::regressed, GateAction::fail, 0.06),
                     finding("unknown", Verdict::regressed, GateAction::fail),
                     finding("nan", Verdict::regressed, GateAction::fail, std::nan("")),
                     finding("large", Verdict::regressed, GateAction::fail, 0.2),
                     finding("suspected", Verdict::suspected, GateAction::fail, 0.6),
                     finding("crash", Verdict::failed, GateAction::fail)};
  EXPECT_EQ(names(overview_of(report).listed),
            (std::vector<std::string>{"crash", "large", "small", "unknown", "nan", "suspected", "warns"}));
  EXPECT_EQ(names(overview_of(report).improved), std::vector<std::string>{"improved"});
}

TEST(Overview, ATwentiethOfARateIsALargerChangeThanTwiceTheTime) {
  Report report;
  report.findings = {finding("twice", Verdict::regressed, GateAction::fail, 1.0),
                     finding("twentieth", Verdict::regressed, GateAction::fail, -0.95),
                     finding("from_nothing", Verdict::regressed, GateAction::fail)};
  report.findings[2].before.emplace().value = 0;
  report.findings[2].after.emplace().value = 7;
  EXPECT_EQ(names(overview_of(report).listed), (std::vector<std::string>{"from_nothing", "twentieth", "twice"}));
}

TEST(Overview, TheRestIsGroupedByVerdict) {
  Report report;
  report.findings = {
      finding("a", Verdict::skipped, GateAction::note), finding("b", Verdict::equivalent, GateAction::pass),
      finding("c", Verdict::inconclusive, GateAction::note), finding("d", Verdict::equivalent, GateAction::pass)};
  const Overview overview = overview_of(report);
  EXPECT_TRUE(overview.listed.empty());
  ASSERT_EQ(overview.rest.size(), 3U);
  EXPECT_EQ(overview.rest[0].verdict, Verdict::inconclusive);
  EXPECT_EQ(overview.rest[1].verdict, Verdict::equivalent);
  EXPECT_EQ(names(overview.rest[1].findings), (std::vector<std::string>{"b", "d"}));
  EXPECT_EQ(overview.rest[2].verdict, Verdict::skipped);
}

TEST(Overview, WhatThePolicyFailsIsListedWhateverItsVerdict) {
  Report report;
  report.findings = {finding("a", Verdict::inconclusive, GateAction::fail)};
  EXPECT_EQ(names(overview_of(report).listed), std::vector<std::string>{"a"});
}

TEST(Overview, AChangedCountIsListedOnlyWhenItMatters) {
  Report report;
  report.findings = {finding("noted", Verdict::changed, GateAction::note),
                     finding("warned", Verdict::changed, GateAction::warn)};
  const Overview overview = overview_of(report);
  EXPECT_EQ(names(overview.listed), std::vector<std::string>{"warned"});
  ASSERT_EQ(overview.rest.size(), 1U);
  EXPECT_EQ(names(overview.rest[0].findings), std::vector<std::string>{"noted"});
}

TEST(Overview, BrokenClaimsComeFirstAndKeptOnesLast) {
  const Report report = models::claims_broken();
  std::vector<ClaimState> states;
  for (const ClaimFinding* claim : overview_of(report).claims) states.push_back(claim->state);
  EXPECT_EQ(states, (std::vector<ClaimState>{ClaimState::broken, ClaimState::broken, ClaimState::undecided,
                                             ClaimState::not_measured, ClaimState::not_claimed}));
  EXPECT_EQ(overview_of(report).claims.front()->action, GateAction::fail);
}

TEST(Tally, CountsEveryFindingOnce) {
  EXPECT_EQ(
      tally(models::confirmed_regression(), Format{}),
      "1 regressed (fails), 1 regressed (warns), 1 suspected (warns), 9 cases within ±5 % (with 9 further metrics)");
  EXPECT_EQ(tally(models::no_baseline(), Format{}), "1 case measured");
  Report baseline = models::no_baseline();
  baseline.before.run_ids = {"r-1"};
  EXPECT_EQ(tally(baseline, Format{}), "1 case not in the baseline");
  Report since = models::no_baseline();
  since.since = SincePin{"v1.2", std::nullopt, ""};
  EXPECT_EQ(tally(since, Format{}), "1 case not measured at the pin");
  EXPECT_EQ(tally(Report{}, Format{}), "nothing was judged");
}

TEST(Tally, AMetricWhoseCaseIsCountedElsewhereIsNotACase) {
  Report report;
  report.findings = {finding("a", Verdict::equivalent, GateAction::pass),
                     finding("a", Verdict::inconclusive, GateAction::note),
                     finding("b", Verdict::equivalent, GateAction::pass)};
  report.findings[1].metric = {"rate", "1/s", record::Direction::higher_is_better, record::MetricKind::timed, false};
  EXPECT_EQ(tally(report, Format{}), "1 metric inconclusive, 2 cases within ±5 %");
  report.findings[0].case_name = "c";
  EXPECT_EQ(tally(report, Format{}), "1 case inconclusive, 2 cases within ±5 %") << "nothing else of it is judged";
}

TEST(Tally, SaysWhatIsFasterAndNotConfirmed) {
  Report report;
  for (const char* const name : {"a", "b", "c"})
    report.findings.push_back(finding(name, Verdict::inconclusive, GateAction::note, -0.5));
  for (const std::size_t at : {0U, 2U})
    report.findings[at].reasons = {facts::test(stats::Reason::improvement_unconfirmed)};
  EXPECT_EQ(tally(report, Format{}), "3 cases inconclusive (2 faster, not confirmed)");
}

TEST(Tally, OfCountsAloneNamesNoMargin) {
  Report report;
  report.rule = "exact";
  report.findings = {finding("a", Verdict::equivalent, GateAction::pass),
                     finding("b", Verdict::changed, GateAction::warn)};
  EXPECT_EQ(tally(report, Format{}), "1 changed (warns), 1 case with the same counts");
  EXPECT_EQ(verdict_words(report.findings.front(), report, Format{}), "same counts");
}

TEST(Tally, SaysWhatIsWaived) {
  Report report;
  report.findings = {finding("a", Verdict::suspected, GateAction::pass),
                     finding("b", Verdict::regressed, GateAction::fail)};
  report.findings.front().waived = true;
  EXPECT_EQ(tally(report, Format{}), "1 regressed (fails), 1 suspected (waived)");
}

TEST(Tally, ABrokenClaimCountsOnceEvenWhenAFindingRepeatsIt) {
  Report report = models::claims_broken();
  report.findings.push_back(finding("again", Verdict::claim_broken, GateAction::warn));
  EXPECT_EQ(tally(report, Format{}).find("2 claim"), std::string::npos) << tally(report, Format{});
  EXPECT_EQ(tally(report, Format{}).rfind("1 claim broken (fails), 1 claim broken (warns)", 0), 0U);
}

TEST(Headline, IsTheTallyWhenTheReportHasNone) {
  EXPECT_EQ(headline_of(models::no_baseline(), Format{}), models::no_baseline().headline);
  EXPECT_EQ(headline_of(Report{}, Format{}), "nothing was judged");
}

TEST(OutcomeWord, SaysWhichOfThreeAndWhetherLessThanHalfWasDecided) {
  const auto word = [](Outcome outcome, std::int64_t decided) {
    Report report;
    report.outcome = outcome;
    report.decided = {4, decided, decided};
    return outcome_word(report);
  };
  EXPECT_EQ(word(Outcome::pass, 2), "PASS");
  EXPECT_EQ(word(Outcome::pass, 1), "PASS (weak)");
  EXPECT_EQ(word(Outcome::fail, 1), "FAIL");
  EXPECT_EQ(word(Outcome::no_verdict, 0), "NO VERDICT");
  EXPECT_EQ(outcome_word(Report{}), "NO VERDICT");
}

TEST(OutcomeWord, AWeakPassIsNeitherGreenNorTicked) {
  Report report;
  report.outcome = Outcome::pass;
  report.decided = {4, 2, 2};
  EXPECT_TRUE(is_clear_pass(report));
  report.decided = {4, 1, 1};
  EXPECT_FALSE(is_clear_pass(report));
  for (const ReportFormat& format : formats_of<Report>()) {
    const std::string text = format.render(report, {});
    EXPECT_EQ(text.find("✅"), std::string::npos) << format.name;
    EXPECT_EQ(text.find("class=\"outcome pass\""), std::string::npos) << format.name;
  }
  EXPECT_NE(render_terminal(report, {.color = true}).find("\033[33mPASS (weak)"), std::string::npos)
      << render_terminal(report, {.color = true});
}

}  // namespace
}  // namespace torchgate::reports
