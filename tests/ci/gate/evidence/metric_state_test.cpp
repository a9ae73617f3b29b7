// SPDX-License-Identifier: Apache-2.0
// What is said of a further metric whose numbers a side lacks: shares of processes decide, and no state stands for "compare the numbers".
#include "ci/gate/evidence/metric_state.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "tests/ci/gate/made_run.hpp"

namespace torchgate::gate {
namespace {

using reports::Verdict;

constexpr const char* case_name = "g/one/v";
const std::optional<double> none;
const double invalid = 0;  // a time of 0 ns measures nothing
const record::Metric wait{"wait", "ns", record::Direction::lower_is_better, record::MetricKind::timed, false};

/// A process for each value of `wait`.
record::Run run_with(const std::vector<std::optional<double>>& values) {
  record::Run run = testing::empty_run("aaaa");
  testing::add_case(run, case_name, std::vector<double>(values.size(), 1e5));
  run.cases[0].metrics.push_back(wait);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!values[i]) continue;
    record::Measurement numbers = testing::result_of(run, i, case_name).measurements[0];
    numbers.metric = wait.name;
    numbers.samples.clear();
    numbers.summary->median = numbers.summary->min = numbers.summary->max = *values[i];
    testing::result_of(run, i, case_name).measurements.push_back(numbers);
  }
  return run;
}

std::optional<Verdict> state(const std::vector<std::optional<double>>& before,
                             const std::vector<std::optional<double>>& after) {
  const record::Run was = run_with(before);
  const record::Run is = run_with(after);
  const SideEvidence was_side(was, 0);
  const SideEvidence is_side(is, 0);
  const std::optional<Judged> judged =
      metric_state(was_side.cases().at(case_name), is_side.cases().at(case_name), wait);
  if (!judged) return std::nullopt;
  EXPECT_EQ(judged->metric.name, "wait");
  return judged->decision.verdict;
}

TEST(MetricState, NumbersOnBothSidesAreCompared) {
  EXPECT_EQ(state({80, 90}, {80, 90}), std::nullopt);
  EXPECT_EQ(state({80, invalid}, {80, 90}), std::nullopt) << "a process of the baseline that failed";
}

// Go's `assume=exact`: with samples that differ in some processes, and one count in the others.
TEST(MetricState, ACountThatAgreesInAProcessIsNotMissingThere) {
  const auto counted = [](std::size_t varying) {
    record::Run run = run_with({80, 80, 80, 80});
    run.cases[0].metrics.back().name = "w_sampled";
    for (std::size_t i = 0; i < 4; ++i) {
      record::Measurement& last = testing::result_of(run, i, case_name).measurements.back();
      last.metric = i < varying ? "w_sampled" : "w";
      if (i >= varying) last.summary.reset();
      if (i >= varying) last.value = 80;
    }
    return run;
  };
  const record::Run was = counted(3);
  const record::Run is = counted(1);
  const SideEvidence was_side(was, 0);
  const SideEvidence is_side(is, 0);
  EXPECT_FALSE(
      metric_state(was_side.cases().at(case_name), is_side.cases().at(case_name), was.cases[0].metrics.back()));
}

TEST(MetricState, InvalidNumbersHaveFailed) {
  EXPECT_EQ(state({80, 90}, {80, invalid}), Verdict::failed);
  EXPECT_EQ(state({80, 90}, {none, invalid}), Verdict::failed);
}

TEST(MetricState, TheReasonIsTheFirstInvalidNumber) {
  const record::Run was = run_with({80, 90, 80});
  const record::Run is = run_with({80, -1, -2});
  const SideEvidence was_side(was, 0);
  const SideEvidence is_side(is, 0);
  const std::optional<Judged> judged =
      metric_state(was_side.cases().at(case_name), is_side.cases().at(case_name), wait);
  ASSERT_TRUE(judged);
  ASSERT_EQ(judged->reasons.size(), 1U);
  EXPECT_EQ(judged->reasons[0].fact.words().find("in 2 of 3 processes: wait of -1 ns"), 0U)
      << judged->reasons[0].fact.words();
}

TEST(MetricState, ABaselineOfInvalidNumbersIsNoneToCompareWith) {
  EXPECT_EQ(state({invalid, invalid}, {80, 90}), Verdict::not_comparable);
  EXPECT_EQ(state({invalid, none}, {80, none}), Verdict::not_comparable);
  EXPECT_EQ(state({invalid, invalid}, {invalid, invalid}), std::nullopt) << "as it was";
  EXPECT_EQ(state({invalid, invalid}, {none, none}), std::nullopt);
}

TEST(MetricState, AMetricThatTheBaselineDoesNotReportIsNew) {
  EXPECT_EQ(state({none, none}, {80, 90}), std::nullopt);
  EXPECT_EQ(state({none, none}, {none, none}), std::nullopt);
}

TEST(MetricState, AMetricInFewerProcessesIsMissing) {
  EXPECT_EQ(state({80, 90}, {none, none}), Verdict::missing);
  EXPECT_EQ(state({80, 90}, {80, none}), Verdict::missing);
  EXPECT_EQ(state({80, none}, {80, none}), std::nullopt) << "some benchmarks report a counter in some repetitions";
  EXPECT_EQ(state({80, none}, {80, none, 80, none}), std::nullopt) << "the same share of more processes";
  EXPECT_EQ(state({80, none}, {80, none, none, none}), Verdict::missing);
  EXPECT_EQ(state({80, none, none, none}, {80, none}), std::nullopt) << "a larger share";
}

}  // namespace
}  // namespace torchgate::gate
