// SPDX-License-Identifier: Apache-2.0
// Counts whose processes disagree in the baseline.
#include "ci/gate/exact_metrics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "ci/gate/judge.hpp"
#include "tests/ci/gate/found.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using namespace torchgate::gate::testing;
using reports::GateAction;
using reports::Verdict;

constexpr const char* counted_case = "g/one/v";

// Five processes, and of each its count; no value: it has none.
record::Run run_counting(const std::string& id, const std::string& metric, const std::vector<double>& counts) {
  record::Run run = empty_run(id);
  add_case(run, counted_case, around(1e5, quiet));
  if (!counts.empty()) add_exact(run, counted_case, metric, 0);
  for (std::size_t i = 0; i < counts.size(); ++i) result_of(run, i, counted_case).measurements.back().value = counts[i];
  return run;
}

record::Metric& counted_metric(record::Run& run, const std::string& metric) {
  for (record::Metric& each : run.cases.front().metrics)
    if (each.name == metric) return each;
  throw std::logic_error("no such metric: " + metric);
}

reports::Report judged_counts(const record::Run& before, const record::Run& after, const policy::Policy& policy = {}) {
  gate::Comparison comparison;
  comparison.baseline = {&before};
  comparison.current = &after;
  return gate::judge_stored(comparison, policy).value();
}

bool has_counted(const reports::Report& report, const std::string& metric) {
  return std::any_of(report.findings.begin(), report.findings.end(),
                     [&](const reports::Finding& each) { return each.metric.name == metric; });
}

const std::vector<double> ten_to_fourteen{10, 11, 12, 13, 14};

TEST(VaryingExactMetric, HasChangedWhereEachProcessIsWorseThanAllBefore) {
  record::Run before = run_counting("aaaa", "operator_calls", ten_to_fourteen);
  for (const std::vector<double>& now : {std::vector<double>{20, 21, 22, 23, 24}, {20, 20, 20, 20, 20}}) {
    const record::Run after = run_counting("bbbb", "operator_calls", now);
    const auto report = judged_counts(before, after);
    const auto& changed = finding(report, counted_case, "operator_calls");
    EXPECT_EQ(changed.verdict, Verdict::changed);
    EXPECT_EQ(changed.action, GateAction::warn);
    EXPECT_EQ(changed.before->value, 14);
    EXPECT_EQ(changed.after->value, 20);
    EXPECT_NEAR(changed.change.value(), 20.0 / 14 - 1, 1e-12) << "the least that is shown";
  }
  const record::Run after = run_counting("bbbb", "operator_calls", {20, 21, 22, 23, 24});
  EXPECT_EQ(finding(judged_counts(before, after), counted_case, "operator_calls").reasons.front().words(),
            "differs between processes, and each count is worse than all before: 10 to 14 before, 20 to 24 now");
  counted_metric(before, "operator_calls").gated = true;
  EXPECT_EQ(judged_counts(before, after).outcome, reports::Outcome::fail) << "a change cannot ungate itself";
}

TEST(VaryingExactMetric, IsNotAFindingWhereItIsNotWorse) {
  const record::Run before = run_counting("aaaa", "operator_calls", ten_to_fourteen);
  EXPECT_FALSE(has_counted(judged_counts(before, run_counting("bbbb", "operator_calls", {14, 15, 16, 17, 18})),
                           "operator_calls"));
  const auto better = judged_counts(before, run_counting("bbbb", "operator_calls", {5, 6, 6, 6, 6}));
  EXPECT_FALSE(has_counted(better, "operator_calls"));
  EXPECT_TRUE(std::any_of(better.notes.begin(), better.notes.end(), [](const facts::Fact& note) {
    return note.words().find("operator_calls (10 to 14 before, 5 to 6 now)") != std::string::npos;
  }));
}

TEST(VaryingExactMetric, IsUndecidedWhereItIsGatedAndOverlaps) {
  record::Run before = run_counting("aaaa", "operator_calls", ten_to_fourteen);
  counted_metric(before, "operator_calls").gated = true;
  const auto report = judged_counts(before, run_counting("bbbb", "operator_calls", {14, 15, 16, 17, 18}));
  const auto& open = finding(report, counted_case, "operator_calls");
  EXPECT_EQ(open.verdict, Verdict::inconclusive);
  EXPECT_EQ(open.reasons.front().words(),
            "differs between processes, and the counts of both sides overlap: 10 to 14 before, 14 to 18 now");
  EXPECT_EQ(report.decided.undecided(), 1);
  policy::Policy strict;
  strict.inconclusive = policy::Action::fail;
  EXPECT_EQ(finding(judged_counts(before, run_counting("bbbb", "operator_calls", {14, 15, 16, 17, 18}), strict),
                    counted_case, "operator_calls")
                .action,
            GateAction::fail);
  EXPECT_FALSE(
      has_counted(judged_counts(before, run_counting("bbbb", "operator_calls", {9, 11, 11, 13, 14})), "operator_calls"))
      << "none is beyond those of the baseline";
}

TEST(VaryingExactMetric, IsLostWhereItIsNotCounted) {
  record::Run before = run_counting("aaaa", "operator_calls", ten_to_fourteen);
  const auto report = judged_counts(before, run_counting("bbbb", "operator_calls", {}));
  EXPECT_EQ(finding(report, counted_case, "operator_calls").verdict, Verdict::changed);
  EXPECT_FALSE(finding(report, counted_case, "operator_calls").after.has_value());
  counted_metric(before, "operator_calls").gated = true;
  EXPECT_EQ(judged_counts(before, run_counting("bbbb", "operator_calls", {})).outcome, reports::Outcome::fail);
}

TEST(VaryingExactMetric, OfPeakMemoryDoesWhatItsGateSays) {
  policy::Policy policy;
  policy.memory = policy::Action::fail;
  const record::Run before = run_counting("aaaa", "peak_bytes", {1000, 1001, 1002, 1003, 1010});
  const auto action = [&](const std::vector<double>& now) {
    const auto report = judged_counts(before, run_counting("bbbb", "peak_bytes", now), policy);
    return has_counted(report, "peak_bytes") ? finding(report, counted_case, "peak_bytes").action : GateAction::pass;
  };
  EXPECT_EQ(action({2000, 2001, 2002, 2003, 2004}), GateAction::fail);
  EXPECT_EQ(action({1005, 2001, 2002, 2003, 2004}), GateAction::fail) << "not all are below what the gate allows";
  EXPECT_EQ(action({1020, 1021, 1022, 1023, 1024}), GateAction::warn) << "grew by less";
  EXPECT_EQ(action({1005, 1010, 1020, 1030, 1040}), GateAction::pass);
}

TEST(VaryingExactMetric, IsComparedInPairs) {
  record::Run run = paired_run("pppp");
  add_paired_case(run, counted_case, wobble(1e5, 2), wobble(1e5, 3));
  add_exact(run, counted_case, "operator_calls", 0);
  for (std::size_t i = 0; i < run.processes.size(); ++i) {
    const bool is_after = run.processes[i].side == 1;
    result_of(run, i, counted_case).measurements.back().value = static_cast<double>(is_after ? 20 + i % 3 : 10 + i % 4);
  }
  counted_metric(run, "operator_calls").gated = true;
  const auto report = gate::judge_paired(run, {});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(finding(*report, counted_case, "operator_calls").verdict, Verdict::changed);
  EXPECT_EQ(report->outcome, reports::Outcome::fail);
}

}  // namespace
