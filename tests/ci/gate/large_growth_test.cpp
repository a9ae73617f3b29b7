// SPDX-License-Identifier: Apache-2.0
// Cases that grew by several gates and stay undecided: one odd process must not turn a failure into a pass.
#include "ci/gate/large_growth.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "ci/gate/judge.hpp"
#include "tests/ci/gate/found.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace torchgate::gate::testing {
namespace {

using reports::Outcome;
using reports::Verdict;

constexpr const char* reason = "but for one process of a side, which leaves it undecided";

record::Run run_with(const char* id, const std::vector<double>& medians) {
  record::Run run = empty_run(id);
  add_case(run, "g/one/x", medians);
  const int step = run.id.front();
  for (const char* other : {"g/one/a", "g/one/b", "g/one/c"})
    add_case(run, other, wobble(1e5, step, static_cast<int>(medians.size())));
  return run;
}

reports::Report compared(const std::vector<double>& before, const std::vector<double>& after,
                         bool confirmable = false) {
  const record::Run was = run_with("a", before);
  const record::Run is = run_with("b", after);
  Comparison comparison;
  comparison.baseline = {&was};
  comparison.current = &is;
  comparison.confirmable = confirmable;
  auto report = judge_stored(comparison, policy::Policy());
  EXPECT_TRUE(report);
  return *std::move(report);
}

TEST(OddProcess, AfterDoesNotTurnAFailureIntoAPass) {
  const std::vector<double> before{100e3, 100.2e3, 99.9e3, 100.1e3, 100.3e3, 99.8e3};
  const auto failing = compared(before, {130e3, 130.1e3, 129.8e3, 130.2e3, 129.9e3, 130.3e3});
  EXPECT_EQ(failing.outcome, Outcome::fail);
  EXPECT_FALSE(mentions(finding(failing, "g/one/x").reasons, "by the medians of the processes")) << "none is odd";
  const auto report = compared(before, {130e3, 130.1e3, 129.8e3, 130.2e3, 129.9e3, 400e3});
  EXPECT_EQ(report.outcome, Outcome::no_verdict);
  EXPECT_EQ(finding(report, "g/one/x").verdict, Verdict::suspected);
  EXPECT_TRUE(mentions(finding(report, "g/one/x").reasons,
                       "+30.0 % by the medians of the processes, and the values of both sides are apart"));
  EXPECT_NE(report.headline.words().find("g/one/x"), std::string::npos) << report.headline.words();
}

TEST(OddProcess, BeforeDoesNotHideAGrowth) {
  const auto report =
      compared({100e3, 100.2e3, 99.9e3, 100.1e3, 100.3e3, 250e3}, {130e3, 130.1e3, 129.8e3, 130.2e3, 129.9e3, 130.3e3});
  EXPECT_EQ(report.outcome, Outcome::no_verdict);
  EXPECT_TRUE(mentions(finding(report, "g/one/x").reasons, reason));
}

// Two processes of each side are apart by chance in one of six comparisons.
TEST(FewProcesses, DoNotFailByTheirIntervalAlone) {
  const auto two = compared({100e3, 100e3}, {130e3, 130e3});
  EXPECT_EQ(two.outcome, Outcome::no_verdict);
  EXPECT_TRUE(mentions(finding(two, "g/one/x").reasons, "a side has fewer than 3 processes"));
  EXPECT_EQ(compared({100e3, 100e3, 100.1e3}, {130e3, 130e3}).outcome, Outcome::no_verdict);
  const auto three = compared({100e3, 100.1e3, 100e3}, {130e3, 130e3, 130.1e3});
  EXPECT_EQ(three.outcome, Outcome::fail);
  EXPECT_FALSE(mentions(finding(three, "g/one/x").reasons, "a side has fewer"));
}

TEST(FewProcesses, AreNamedInTheHeadlineAndAcceptedByAPolicyThatWarns) {
  const record::Run before = run_with("a", {100e3, 100e3});
  const record::Run after = run_with("b", {130e3, 130e3});
  Comparison comparison;
  comparison.baseline = {&before};
  comparison.current = &after;
  EXPECT_TRUE(mentions(std::vector<std::string>{judge_stored(comparison, {})->headline.words()},
                       "a side has fewer than 3 processes"));
  policy::Policy warns;
  warns.unconfirmed = policy::Unconfirmed::warn;
  EXPECT_EQ(judge_stored(comparison, warns)->outcome, Outcome::pass);
}

// Each has two of them.
TEST(FewProcesses, OfSeveralStoredRunsAreCountedTogether) {
  const std::vector<record::Run> stored{run_with("a", {100e3, 100.1e3}), run_with("c", {100.2e3, 100e3}),
                                        run_with("d", {99.9e3, 100.1e3}), run_with("e", {100e3, 100.2e3})};
  const record::Run after = run_with("b", {130e3, 130.1e3, 130e3, 130.2e3, 130e3});
  Comparison comparison;
  for (const record::Run& run : stored) comparison.baseline.push_back(&run);
  comparison.current = &after;
  const auto report = judge_stored(comparison, {});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->outcome, Outcome::fail) << report->headline.words();
}

TEST(OddProcess, OfEqualSidesGivesNoReason) {
  const std::vector<double> same{100e3, 100.2e3, 99.9e3, 100.1e3, 100.3e3, 250e3};
  const auto report = compared({100e3, 100.2e3, 99.9e3, 100.1e3, 100.3e3, 99.8e3}, same);
  EXPECT_EQ(report.outcome, Outcome::pass);
  EXPECT_FALSE(mentions(finding(report, "g/one/x").reasons, reason));
}

// Two odd processes are a spread, and growth below four gates is left to the other cases.
TEST(OddProcess, SaysNothingOfSpreadOrOfSmallGrowth) {
  const auto spread =
      compared({100e3, 100.2e3, 99.9e3, 100.1e3, 250e3, 250e3}, {130e3, 130.1e3, 129.8e3, 130.2e3, 129.9e3, 130.3e3});
  EXPECT_FALSE(mentions(finding(spread, "g/one/x").reasons, reason));
  const auto small =
      compared({100e3, 100.2e3, 99.9e3, 100.1e3, 100.3e3, 250e3}, {110e3, 110.1e3, 109.8e3, 110.2e3, 109.9e3, 110.3e3});
  EXPECT_FALSE(mentions(finding(small, "g/one/x").reasons, reason));
}

TEST(OddProcess, IsLeftToPairs) {
  const auto report = compared({100e3, 100.2e3, 99.9e3, 100.1e3, 100.3e3, 250e3},
                               {130e3, 130.1e3, 129.8e3, 130.2e3, 129.9e3, 130.3e3}, true);
  EXPECT_FALSE(mentions(finding(report, "g/one/x").reasons, reason));
}

}  // namespace
}  // namespace torchgate::gate::testing
