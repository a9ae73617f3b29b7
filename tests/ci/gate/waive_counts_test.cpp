// SPDX-License-Identifier: Apache-2.0
// Waivers of exact metrics: a ceiling of a count is a value, and a lost count has none.
#include <gtest/gtest.h>

#include "ci/gate/judge.hpp"
#include "ci/gate/waive.hpp"
#include "tests/ci/gate/found.hpp"
#include "tests/ci/gate/made_run.hpp"
#include "tests/ci/gate/made_waiver.hpp"

namespace {

using namespace torchgate;
using namespace torchgate::gate::testing;
using namespace std::chrono_literals;
using reports::GateAction;

TEST(Waivers, AnExactMetricHasALargestValue) {
  record::Run run = paired_run("pppp");
  add_slower(run, "g/one/v", 1.0);
  add_exact(run, "g/one/v", "operator_calls", 5);
  for (auto& process : run.processes) {
    if (process.side == 1) process.cases.front().measurements.back().value = 7;
  }
  const auto judged = [&](double ceiling, const std::string& metric) {
    return gate::judge_paired(run, policy_with({waiver("g/one/v", ceiling, 2027y / 1 / 31, metric)})).value();
  };
  EXPECT_EQ(finding(judged(7, "operator_calls"), "g/one/v", "operator_calls").action, GateAction::pass);
  const auto exceeded = judged(6, "operator_calls");
  EXPECT_EQ(finding(exceeded, "g/one/v", "operator_calls").action, GateAction::warn);
  EXPECT_TRUE(mentions(exceeded.notes, "waiver exceeded: g/one/v (operator_calls), 7, is beyond its ceiling of 6 ("))
      << exceeded.notes.back();
  EXPECT_TRUE(mentions(judged(6, "operator_call").notes, "the case has no such metric; did you mean operator_calls?"));
}

TEST(Waivers, AnExactMetricOfWhichMoreIsBetterHasALowestValue) {
  record::Run run = paired_run("pppp");
  add_slower(run, "g/one/v", 1.0);
  run.cases.front().metrics.push_back({"hits", "1", record::Direction::higher_is_better, record::MetricKind::exact});
  add_exact(run, "g/one/v", "hits", 100);
  const auto judged = [&](double ceiling, std::optional<double> after) {
    record::Run measured = run;
    for (auto& process : measured.processes) {
      auto& measurements = process.cases.front().measurements;
      if (process.side == 1 && after) measurements.back().value = *after;
      if (process.side == 1 && !after) measurements.pop_back();
    }
    return gate::judge_paired(measured, policy_with({waiver("g/one/v", ceiling, 2027y / 1 / 31, "hits")})).value();
  };
  const auto action = [&](double ceiling, std::optional<double> after) {
    return finding(judged(ceiling, after), "g/one/v", "hits").action;
  };
  EXPECT_EQ(action(90, 90), GateAction::pass);
  EXPECT_EQ(action(90, 95), GateAction::pass);
  EXPECT_EQ(action(90, 89), GateAction::warn);
  EXPECT_EQ(action(90, 1), GateAction::warn);
  EXPECT_EQ(action(0, 0), GateAction::pass) << "accepted as far as it can fall";
  EXPECT_EQ(action(0, std::nullopt), GateAction::warn) << "no value is none that was accepted";
  EXPECT_TRUE(
      mentions(judged(90, 95).notes, "waived: g/one/v (hits), 95, ceiling 90 (the lowest accepted value): better"));
  EXPECT_TRUE(
      mentions(judged(90, 1).notes,
               "waiver exceeded: g/one/v (hits), 1, is beyond its ceiling of 90 (the lowest accepted value) ("));
  EXPECT_TRUE(mentions(judged(90, std::nullopt).notes, "g/one/v (hits), no longer counted, is beyond"));
}

// A count that was removed on purpose would leave its case undecided in each run until the baseline is of that commit.
TEST(Waivers, OfAMissingCountLeavesItsCaseDecided) {
  record::Run run = paired_run("pppp");
  add_slower(run, "g/one/v", 1.0);
  run.cases.front().metrics.push_back({"hits", "1", record::Direction::higher_is_better, record::MetricKind::exact});
  add_exact(run, "g/one/v", "hits", 100);
  for (auto& process : run.processes)
    if (process.side == 1) process.cases.front().measurements.pop_back();
  const auto judged = [&](std::vector<policy::Waiver> waivers) {
    return gate::judge_paired(run, policy_with(std::move(waivers))).value();
  };
  const reports::Report lost = judged({});
  EXPECT_EQ(lost.outcome, reports::Outcome::no_verdict);
  EXPECT_EQ(finding(lost, "g/one/v", "hits").action, GateAction::warn);
  policy::Waiver accepted = waiver("g/one/v", 0, 2027y / 1 / 31, "hits");
  accepted.missing = true;
  const reports::Report waived = judged({accepted});
  EXPECT_EQ(waived.outcome, reports::Outcome::pass);
  EXPECT_EQ(finding(waived, "g/one/v", "hits").action, GateAction::pass);
  EXPECT_TRUE(mentions(waived.notes, "waived: g/one/v (hits), no longer counted: better"));
  accepted.metric = "time";
  EXPECT_EQ(judged({accepted}).outcome, reports::Outcome::no_verdict) << "of another metric";
}

}  // namespace
