// SPDX-License-Identifier: Apache-2.0
// Absolute limits of cases: one run, a comparison, pairs; times and counts; what cannot be judged.
#include "ci/gate/budgets.hpp"

#include <gtest/gtest.h>

#include "ci/gate/judge.hpp"
#include "ci/policy/case_rules.hpp"
#include "tests/ci/gate/found.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using namespace torchgate::gate::testing;
using reports::GateAction;
using reports::Outcome;
using reports::Verdict;

policy::Policy budget_policy(const std::string& budget, const std::string& more = "") {
  policy::Policy policy;
  const std::string text = "[[case]]\nmatch = \"^g/one/v$\"\nbudget = { " + budget + " }\n" + more;
  const auto applied = policy::apply_policy_text(policy, text, "/p/torchgate.toml");
  EXPECT_TRUE(applied.ok()) << (applied.ok() ? "" : applied.error().message);
  return policy;
}

record::Run run_of(const std::vector<double>& medians_ns, const std::string& id = "aaaa") {
  record::Run run = empty_run(id);
  add_case(run, "g/one/v", medians_ns);
  add_case(run, "g/one/w", medians_ns);
  return run;
}

reports::Report described(const record::Run& run, const policy::Policy& policy) {
  auto report = gate::describe_run(run, policy);
  if (!report) throw std::logic_error(report.error().message);
  return *std::move(report);
}

TEST(Budgets, ARunAloneFailsAboveItsBudgetAndOnlyThere) {
  const record::Run run = run_of(around(130e6, 0.002));
  const auto above = described(run, budget_policy(R"(time = "100 ms")"));
  EXPECT_EQ(above.outcome, Outcome::fail);
  EXPECT_EQ(finding(above, "g/one/v").verdict, Verdict::over_budget);
  EXPECT_EQ(finding(above, "g/one/v").action, GateAction::fail);
  EXPECT_TRUE(mentions(finding(above, "g/one/v").reasons, "is above the budget of 100 ms"));
  EXPECT_EQ(above.headline, "g/one/v: time over its budget");
  EXPECT_NEAR(finding(above, "g/one/v").after->value, 130e6, 1e6);
  EXPECT_EQ(finding(above, "g/one/w").verdict, Verdict::new_case) << "no table names it";
  const auto below = described(run, budget_policy(R"(time = "140 ms")"));
  EXPECT_EQ(below.outcome, Outcome::no_verdict);
  EXPECT_EQ(finding(below, "g/one/v").verdict, Verdict::new_case);
}

TEST(Budgets, AnIntervalThatContainsTheBudgetIsANoteAndNoFailure) {
  const auto report = described(run_of({90e6, 120e6, 95e6, 125e6, 110e6}), budget_policy(R"(time = "100 ms")"));
  EXPECT_EQ(finding(report, "g/one/v").verdict, Verdict::new_case);
  EXPECT_TRUE(mentions(report.notes, "the budget time = 100 ms is undecided"));
}

TEST(Budgets, FewerThanFiveProcessesAreUndecided) {
  const auto report = described(run_of({130e6, 130e6, 131e6}), budget_policy(R"(time = "100 ms")"));
  EXPECT_EQ(finding(report, "g/one/v").verdict, Verdict::new_case);
  EXPECT_TRUE(mentions(report.notes, "is undecided"));
}

// A leak of 0 in most processes is a measurement: what is left of it is not the mean of the others.
TEST(Budgets, NumbersThatMayBeZeroAreComparedByTheirDifferences) {
  record::Run run = run_of(std::vector<double>(8, 1e6));
  run.cases.front().metrics.push_back(
      {"leak", "bytes", record::Direction::lower_is_better, record::MetricKind::timed, false});
  const auto judged = [&](const std::vector<double>& leaks) {
    record::Run one = run;
    for (std::size_t i = 0; i < leaks.size(); ++i) {
      auto& measurements = one.processes[i].cases.front().measurements;
      record::Measurement leak = measurements.front();
      leak.metric = "leak";
      leak.summary->min = leak.summary->median = leak.summary->max = leaks[i];
      leak.samples.assign(leak.samples.size(), leaks[i]);
      measurements.push_back(leak);
    }
    return described(one, budget_policy("leak = 5"));
  };
  EXPECT_EQ(judged({0, 0, 10, 0, 10, 0, 0, 0}).outcome, Outcome::no_verdict);
  const auto over = judged({0, 20, 21, 19, 22, 20, 18, 21});
  EXPECT_EQ(over.outcome, Outcome::fail);
  EXPECT_TRUE(mentions(finding(over, "g/one/v", "leak").reasons, "17.6"))
      << finding(over, "g/one/v", "leak").reasons.front();
}

TEST(Budgets, ACountAboveItIsAFact) {
  record::Run run = run_of(around(1e6, 0.002));
  add_exact(run, "g/one/v", "peak_bytes", 4.5e9);
  const auto report = described(run, budget_policy(R"(peak_bytes = "4 GB")"));
  EXPECT_EQ(report.outcome, Outcome::fail);
  const auto& over = finding(report, "g/one/v", "peak_bytes");
  EXPECT_EQ(over.verdict, Verdict::over_budget);
  EXPECT_EQ(over.after->value, 4.5e9);
  EXPECT_FALSE(over.before.has_value());
  EXPECT_EQ(described(run, budget_policy(R"(peak_bytes = "4.5 GB")")).outcome, Outcome::no_verdict) << "at most";
  EXPECT_EQ(described(run, budget_policy("peak_bytes = 4500000000")).outcome, Outcome::no_verdict) << "a plain number";
}

// Counts of "g/one/v", one per process; a negative one is not counted.
record::Run counted_run(const std::vector<double>& counts) {
  record::Run run = run_of(around(1e6, 0.002));
  add_exact(run, "g/one/v", "operator_calls", 0);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    auto& measurements = result_of(run, i, "g/one/v").measurements;
    if (counts[i] < 0) {
      measurements.pop_back();
    } else {
      measurements.back().value = counts[i];
    }
  }
  return run;
}

TEST(Budgets, ACountThatVariesIsAboveItWhereAllItsValuesAre) {
  const auto report = described(counted_run({1000, 1001, 1002, 1003, 1004}), budget_policy("operator_calls = 20"));
  EXPECT_EQ(report.outcome, Outcome::fail);
  EXPECT_EQ(finding(report, "g/one/v", "operator_calls").verdict, Verdict::over_budget);
  EXPECT_TRUE(mentions(finding(report, "g/one/v", "operator_calls").reasons,
                       "1000 to 1004 in its processes, all above the budget of 20"));
  EXPECT_EQ(described(counted_run({1000, -1, 1000, 1000, 1000}), budget_policy("operator_calls = 20")).outcome,
            Outcome::fail)
      << "those that are known are above it";
}

TEST(Budgets, ACountThatIsAboveItInSomeProcessesIsADoubt) {
  const auto doubts = [](const std::vector<double>& counts) {
    const auto report = described(counted_run(counts), budget_policy("operator_calls = 20"));
    EXPECT_NE(report.outcome, Outcome::fail);
    return report.doubts;
  };
  EXPECT_TRUE(mentions(doubts({19, 20, 21, 19, 19}),
                       "g/one/v: 19 to 21, the budget operator_calls = 20 is undecided: its processes do not agree"));
  EXPECT_TRUE(mentions(doubts({19, -1, 19, 19, 19}),
                       "g/one/v: the budget operator_calls = 20 is undecided: not counted in all processes"));
  EXPECT_TRUE(mentions(doubts({-1, -1, -1, -1, -1}), "the budget operator_calls = 20 is undecided"));
  EXPECT_FALSE(mentions(doubts({18, 19, 20, 18, 18}), "the budget")) << "within it in each process";
}

TEST(Budgets, OfACaseThatCannotBeToldApartTheyAreADoubt) {
  record::Run run = run_of(around(130e6, 0.002));
  run.cases.front().ambiguous = std::string("the file has it 2 times");
  const auto report = described(run, budget_policy(R"(time = "100 ms")"));
  EXPECT_NE(finding(report, "g/one/v").verdict, Verdict::over_budget);
  EXPECT_TRUE(
      mentions(report.doubts, "the budget time = 100 ms is not applied: benchmarks of this name cannot be told"));
}

TEST(Budgets, WhatCannotBeAppliedIsADoubt) {
  record::Run run = run_of(around(130e6, 0.002));
  const auto says = [&](const std::string& budget, const std::string& words) {
    const auto report = described(run, budget_policy(budget));
    EXPECT_TRUE(mentions(report.doubts, words)) << budget;
    EXPECT_EQ(report.outcome, Outcome::no_verdict);
  };
  says(R"(latency = "100 ms")", "it has no metric \"latency\"");
  says(R"(time = "4 GB")", "\"time\" is in ns, and the budget in bytes");
  for (auto& definition : run.cases) definition.metrics.front().direction = record::Direction::higher_is_better;
  says(R"(time = "100 ms")", "larger values of \"time\" are better");
}

TEST(Budgets, ATableThatNamesNoCaseIsSaid) {
  const auto run = run_of(around(130e6, 0.002));
  auto policy = budget_policy(R"(time = "100 ms")");
  policy.case_rules.front().pattern = "^nothing$";
  EXPECT_TRUE(mentions(described(run, policy).notes, "matches no case"));
}

struct Compared {
  record::Run before = run_of(around(100e6, 0.002));
  record::Run after = run_of(around(100e6, 0.002), "bbbb");
  reports::Report judged(const policy::Policy& policy) const {
    gate::Comparison comparison;
    comparison.baseline = {&before};
    comparison.current = &after;
    auto report = gate::judge_stored(comparison, policy);
    if (!report) throw std::logic_error(report.error().message);
    return *std::move(report);
  }
};

TEST(Budgets, AnUnchangedCaseFailsAboveIt) {
  Compared compared;
  const auto report = compared.judged(budget_policy(R"(time = "80 ms")"));
  EXPECT_EQ(report.outcome, Outcome::fail);
  const auto& over = finding(report, "g/one/v");
  EXPECT_EQ(over.verdict, Verdict::over_budget);
  EXPECT_TRUE(over.before.has_value() && over.change.has_value()) << "the comparison stays readable";
  EXPECT_EQ(std::count_if(report.findings.begin(), report.findings.end(),
                          [](const auto& f) { return f.case_name == "g/one/v" && f.metric.name == "time"; }),
            1)
      << "one finding for one number";
}

TEST(Budgets, ACountThatVariesOnBothSidesFailsAboveIt) {
  Compared compared;
  compared.before = counted_run({1000, 1001, 1002, 1003, 1004});
  compared.after = compared.before;
  compared.after.id = "bbbb";
  EXPECT_EQ(compared.judged(budget_policy("operator_calls = 20")).outcome, Outcome::fail);
}

TEST(Budgets, WithinItTheComparisonIsAsWithout) {
  Compared compared;
  const auto with = compared.judged(budget_policy(R"(time = "200 ms")"));
  EXPECT_EQ(with.outcome, compared.judged({}).outcome);
  EXPECT_NE(finding(with, "g/one/v").verdict, Verdict::over_budget);
}

TEST(Budgets, ThePairsOfARegressionStayARegressionThatFails) {
  record::Run run = paired_run("aaaa");
  add_slower(run, "g/one/v", 1.03);  // below the gate of 5 %
  const auto without = gate::judge_paired(run, {});
  ASSERT_TRUE(without.ok());
  ASSERT_EQ(finding(*without, "g/one/v").verdict, Verdict::regressed);
  ASSERT_EQ(finding(*without, "g/one/v").action, GateAction::warn);
  const double after_ns = finding(*without, "g/one/v").after->value;
  const auto report = gate::judge_paired(run, budget_policy("time = " + std::to_string(0.9 * after_ns)));
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(finding(*report, "g/one/v").verdict, Verdict::regressed);
  EXPECT_EQ(finding(*report, "g/one/v").action, GateAction::fail);
  EXPECT_TRUE(mentions(finding(*report, "g/one/v").reasons, "is above the budget"));
}

TEST(Budgets, AWaiverOfTheChangeDoesNotRaiseTheBudget) {
  Compared compared;
  auto policy = budget_policy(R"(time = "80 ms")");
  policy.today = std::chrono::year(2026) / 11 / 23;
  policy::Waiver waiver;
  waiver.case_name = "g/one/v";
  waiver.metric = "time";
  waiver.ceiling = 10;
  waiver.reason = "accepted";
  waiver.expires = std::chrono::year(2030) / 1 / 1;
  policy.waivers = {waiver};
  EXPECT_EQ(compared.judged(policy).outcome, Outcome::fail);
}

TEST(Budgets, AFailedCaseStaysFailed) {
  record::Run run = run_of(around(130e6, 0.002));
  for (auto& process : run.processes) {
    auto& result = result_of(run, static_cast<std::size_t>(&process - run.processes.data()), "g/one/v");
    result.status = record::CaseStatus::failed;
    result.message = "threw";
    result.measurements.clear();
  }
  EXPECT_EQ(finding(described(run, budget_policy(R"(time = "1 ms")")), "g/one/v").verdict, Verdict::failed);
}

TEST(Budgets, ThePolicyLimitsWhatAMetricDoes) {
  const auto report =
      described(run_of(around(130e6, 0.002)), budget_policy(R"(time = "100 ms")", "metrics = { time = \"warn\" }\n"));
  EXPECT_EQ(finding(report, "g/one/v").action, GateAction::warn);
}

}  // namespace
