// SPDX-License-Identifier: Apache-2.0
// Rates beside times, and values without a logarithm, in stored comparisons and in pairs.
#include "ci/gate/evidence/work.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "ci/gate/judge.hpp"
#include "tests/ci/gate/found.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace torchgate::gate::testing {
namespace {

using record::Direction;
using reports::GateAction;
using reports::Verdict;

const record::Metric rate{
    "items_per_second", "items/s", Direction::higher_is_better, record::MetricKind::timed, false, false, true};

record::Measurement measurement(const record::Metric& metric, double value) {
  record::Measurement one;
  one.metric = metric.name;
  one.samples = {value};
  one.summary = record::SampleSummary{};
  one.summary->n = 1;
  one.summary->mean = one.summary->min = one.summary->p25 = one.summary->median = one.summary->p75 = one.summary->max =
      value;
  return one;
}

// VALUE of each result, given its median time and its number.
void add_metric(record::Run& run, const record::Metric& metric,
                const std::function<double(double ns, int i, int side)>& value) {
  for (record::Case& definition : run.cases) definition.metrics.push_back(metric);
  std::vector<int> counts(2);
  for (record::Process& process : run.processes) {
    for (record::CaseResult& result : process.cases) {
      int& i = counts.at(static_cast<std::size_t>(process.side));
      const double ns = result.measurements.front().summary->median;
      result.measurements.push_back(measurement(metric, value(ns, i++, static_cast<int>(process.side))));
    }
  }
}

double near_one(int i) {
  return 1 + 0.002 * std::sin(1.3 * i);
}

record::Run served(const std::string& id, double per_second, int step) {
  record::Run run = empty_run(id);
  add_case(run, "serve", wobble(1e9, step, 6));
  add_metric(run, rate, [=](double, int i, int) { return per_second * near_one(i + step); });
  return run;
}

reports::Report compared(const record::Run& before, const record::Run& after, const policy::Policy& policy = {}) {
  StoredComparison comparison;
  comparison.baseline = {&before};
  comparison.current = &after;
  auto report = judge_stored(comparison, policy);
  EXPECT_TRUE(report);
  return *report;
}

TEST(Work, ARateThatFallsWhileTheTimeStandsStillFails) {
  const auto report = compared(served("a", 2e6, 1), served("b", 1e6, 2));
  const auto& fell = finding(report, "serve", rate.name);
  EXPECT_EQ(fell.verdict, Verdict::suspected);
  EXPECT_EQ(fell.action, GateAction::fail);
  EXPECT_TRUE(mentions(fell.reasons, "does half the work per call"));
  EXPECT_EQ(report.outcome, reports::Outcome::fail);
  policy::Policy tolerant;
  tolerant.case_rules.push_back({"serve", true, {}, {{rate.name, policy::Action::pass}}, "torchgate.toml:1"});
  EXPECT_EQ(compared(served("a", 2e6, 1), served("b", 1e6, 2), tolerant).outcome, reports::Outcome::pass);
}

TEST(Work, ARateOfTheSameWorkIsNoSecondVerdict) {
  const auto built = [](const std::string& id, double ns) {
    record::Run run = empty_run(id);
    add_case(run, "sum", wobble(ns, 3, 6));
    add_metric(run, rate, [](double time, int, int) { return 1e12 / time; });
    return run;
  };
  const auto report = compared(built("a", 1e5), built("b", 1.5e5));
  EXPECT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(finding(report, "sum").action, GateAction::fail);
}

// Of a suite that states its work: the same sentence without a rate.
TEST(Work, StatedWorkIsSaidOfTheTime) {
  const auto built = [](const std::string& id, double ns, double items) {
    record::Run run = empty_run(id);
    add_case(run, "sum", wobble(ns, 3, 6));
    run.cases.front().items_per_call = items;
    return run;
  };
  const auto report = compared(built("a", 1e5, 8), built("b", 1.8e5, 16));
  EXPECT_TRUE(
      mentions(finding(report, "sum").reasons, "does twice the work per call: +80.0 % time, +11.1 % throughput"));
}

TEST(Work, ARateThatVanishedIsMissing) {
  record::Run after = empty_run("b");
  add_case(after, "serve", wobble(1e9, 2, 6));
  const auto report = compared(served("a", 2e6, 1), after);
  EXPECT_EQ(finding(report, "serve", rate.name).verdict, Verdict::missing);
}

TEST(Work, PairsJudgeRates) {
  const auto pairs = [](double after) {
    record::Run run = paired_run("p");
    add_paired_case(run, "serve", wobble(1e9, 1), wobble(1e9, 2));
    add_metric(run, rate, [=](double, int i, int side) { return (side == 0 ? 2e6 : after) * near_one(i + 5 * side); });
    return run;
  };
  const auto slower = judge_paired(pairs(1e6), {});
  ASSERT_TRUE(slower);
  EXPECT_EQ(finding(*slower, "serve", rate.name).verdict, Verdict::regressed);
  EXPECT_EQ(finding(*slower, "serve", rate.name).action, GateAction::fail);
  EXPECT_EQ(finding(*slower, "serve").verdict, Verdict::equivalent);
  EXPECT_TRUE(slower->headline.starts_with("serve: items_per_second regressed")) << slower->headline;
  const auto gone = judge_paired(pairs(0), {});
  ASSERT_TRUE(gone);
  const auto& zero = finding(*gone, "serve", rate.name);
  EXPECT_EQ(zero.action, GateAction::fail);
  EXPECT_EQ(zero.change, -1);
  EXPECT_FALSE(zero.interval);
  ASSERT_TRUE(zero.before && zero.after);
  EXPECT_NEAR(zero.before->value, 2e6, 2e4);
  EXPECT_NEAR(zero.after->value, 0, 1e-6);
}

TEST(InUnits, ALeakThatChangesItsSignIsJudged) {
  const record::Metric leak{"leak", "bytes", Direction::lower_is_better, record::MetricKind::timed, false, false, true};
  const auto leaking = [&](const std::string& id, double bytes, int step) {
    record::Run run = empty_run(id);
    add_case(run, "loop", wobble(1e5, step, 6));
    add_metric(run, leak, [=](double, int i, int) { return bytes * near_one(i + step); });
    return run;
  };
  const auto& worse = compared(leaking("a", -2, 1), leaking("b", 3, 2));
  EXPECT_EQ(finding(worse, "loop", "leak").action, GateAction::fail);
  EXPECT_FALSE(finding(worse, "loop", "leak").change) << "nothing to be relative to";
  EXPECT_NE(finding(compared(leaking("a", 3, 1), leaking("b", -2, 2)), "loop", "leak").action, GateAction::fail);
  EXPECT_EQ(finding(compared(leaking("a", 0, 1), leaking("b", 0, 2)), "loop", "leak").verdict, Verdict::equivalent);
}

}  // namespace
}  // namespace torchgate::gate::testing
