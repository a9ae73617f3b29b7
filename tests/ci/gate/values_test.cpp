// SPDX-License-Identifier: Apache-2.0
// Which values stand beside a change: those of the estimator that gave it.
#include <gtest/gtest.h>

#include <cmath>

#include "ci/gate/judge.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using gate::testing::add_case;
using gate::testing::add_paired_case;
using gate::testing::around;
using gate::testing::empty_run;
using gate::testing::mentions;
using gate::testing::paired_run;
using stats::Estimator;

constexpr const char* only_case = "g/one/v";

const reports::Finding& only_finding(const reports::Report& report) {
  return report.findings.at(0);
}

void expect_values(const reports::Finding& finding, double before, double after, Estimator estimator) {
  ASSERT_TRUE(finding.before && finding.after && finding.change);
  EXPECT_NEAR(finding.before->value, before, 1e-9 * before);
  EXPECT_NEAR(finding.after->value, after, 1e-9 * after);
  EXPECT_NEAR(*finding.change, after / before - 1, 1e-9);
  EXPECT_EQ(finding.estimator, estimator);
}

reports::Report compared(const std::vector<const record::Run*>& stored, const record::Run& current,
                         const record::Run* pairs = nullptr, const policy::Policy& policy = {}) {
  gate::Comparison comparison;
  comparison.baseline = stored;
  comparison.current = &current;
  comparison.pairs = pairs;
  comparison.confirmable = pairs != nullptr;
  return gate::judge_stored(comparison, policy).value();
}

// One slow process of three moves the mean and not the median: the row shows what was judged.
TEST(Values, OfAStoredComparisonAreGeometricMeans) {
  record::Run before = empty_run("aaaa");
  record::Run after = empty_run("bbbb");
  add_case(before, only_case, {100, 100, 100});
  add_case(after, only_case, {100, 100, 800});
  expect_values(only_finding(compared({&before}, after)), 100, 200, Estimator::process_mean);
}

TEST(Values, OfAConfirmedSuspectAreThoseOfItsPairs) {
  record::Run before = empty_run("aaaa");
  record::Run after = empty_run("bbbb");
  add_case(before, only_case, {100, 100.1, 100.2, 100.3, 100.4});
  add_case(after, only_case, {150, 150.1, 150.2, 150.3, 150.4});
  record::Run pairs = paired_run("pppp");
  add_paired_case(pairs, only_case, std::vector<double>(20, 80), std::vector<double>(20, 88));
  const auto report = compared({&before}, after, &pairs);
  EXPECT_EQ(only_finding(report).verdict, reports::Verdict::regressed);
  expect_values(only_finding(report), 80, 88, Estimator::pairs);
}

TEST(Values, OfOneProcessPerSideAreRunValues) {
  record::Run before = empty_run("aaaa");
  record::Run after = empty_run("bbbb");
  add_case(before, only_case, {100});
  add_case(after, only_case, {110});
  expect_values(only_finding(compared({&before}, after)), 100, 110, Estimator::run_value);
}

TEST(Values, OfASingleRunAreCountedWhereThereAreAny) {
  record::Run run = empty_run("aaaa");
  for (const char* const name : {"g/one/measured", "g/one/wrong", "g/one/without_metrics"}) add_case(run, name, {100});
  gate::testing::result_of(run, 0, "g/one/wrong").status = record::CaseStatus::wrong;
  run.cases.back().metrics.clear();
  EXPECT_EQ(gate::describe_run(run, {}).value().headline.words().find("g/one/wrong: wrong"), 0U);
  gate::testing::result_of(run, 0, "g/one/wrong").status = record::CaseStatus::skipped;
  EXPECT_EQ(gate::describe_run(run, {}).value().headline.words(), "1 case measured, nothing to compare with");
}

TEST(Values, OfASingleRunHaveAnEstimatorToo) {
  record::Run run = empty_run("aaaa");
  add_case(run, only_case, {100, 100, 800});
  const auto report = gate::describe_run(run, {}).value();
  EXPECT_EQ(only_finding(report).estimator, Estimator::run_value);
  EXPECT_FALSE(only_finding(report).before);
}

// The machine is 10 % slower than when the baseline was stored: the value after is what was measured, the one before what the
// baseline would be on this machine as it is now.
TEST(Values, AfterADriftAreThoseOfTheMachineAsItIsNow) {
  std::vector<record::Run> stored;
  for (int run = 0; run < 6; ++run) {
    record::Run one = empty_run("run" + std::to_string(run));
    for (int i = 0; i < 24; ++i) add_case(one, "g/one/v" + std::to_string(i), std::vector<double>(5, 1000.0 + i));
    stored.push_back(one);
  }
  record::Run current = empty_run("cccc");
  for (int i = 0; i < 24; ++i) {
    const double change = i == 0 ? 1.2 : 1.0;
    add_case(current, "g/one/v" + std::to_string(i), std::vector<double>(5, 1.1 * change * (1000.0 + i)));
  }
  gate::Comparison comparison;
  for (const record::Run& run : stored) comparison.baseline.push_back(&run);
  comparison.current = &current;
  comparison.confirmable = true;
  const auto report = gate::judge_stored(comparison, {}).value();
  EXPECT_TRUE(mentions(report.notes, "values before are corrected for the machine drift"));
  for (const reports::Finding& finding : report.findings) {
    const double stored_value = 1000.0 + std::stoi(finding.case_name.substr(7));
    const double change = finding.case_name == "g/one/v0" ? 1.2 : 1.0;
    expect_values(finding, 1.1 * stored_value, 1.1 * change * stored_value, Estimator::history);
  }
}

// A rate that fell: its change, its effect size and what the textbook rule says of it have one sign.
TEST(Values, OfARateHaveOneSign) {
  record::Run before = empty_run("aaaa");
  record::Run after = empty_run("bbbb");
  add_case(before, only_case, around(1e5, 0.01));
  add_case(after, only_case, around(0.8e5, 0.01));
  for (record::Run* run : {&before, &after})
    run->cases.front().metrics.front().direction = record::Direction::higher_is_better;
  policy::Policy policy;
  policy.rule = "welch";
  const auto report = compared({&before}, after, nullptr, policy);
  const reports::Finding& finding = only_finding(report);
  EXPECT_LT(finding.change.value(), 0);
  EXPECT_LT(finding.cohens_d.value(), 0);
  EXPECT_LT(finding.textbook->d.value(), 0);
}

}  // namespace
