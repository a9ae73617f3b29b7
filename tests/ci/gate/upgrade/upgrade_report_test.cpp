// SPDX-License-Identifier: Apache-2.0
// `--vary libtorch`: what the report has beside the findings, on pairs whose truth is known.
#include "ci/gate/upgrade/upgrade_report.hpp"

#include <gtest/gtest.h>

#include <string>

#include "ci/gate/judge.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace torchgate::gate {
namespace {

using testing::add_exact;
using testing::add_slower;
using testing::mentions;

constexpr const char* slow_case = "g/one/slow";
constexpr const char* same_case = "g/one/same";

record::CaseResult* result_in(record::Process& process, const std::string& name) {
  for (record::CaseResult& result : process.cases)
    if (result.name == name) return &result;
  return nullptr;
}

// A LibTorch of 2.11 before and of 2.15 after, and a case that is slower with it.
record::Run upgraded() {
  record::Run run = testing::paired_run("a");
  add_slower(run, slow_case, 1.2);
  add_slower(run, same_case, 1);
  run.machine.facts.push_back({"libtorch_version (before)", "2.11.0", "", record::FactClass::warn});
  run.machine.facts.push_back({"libtorch_version (after)", "2.15.0", "", record::FactClass::warn});
  run.machine.facts.push_back({"libtorch_build (before)", "GCC 13.3\nOpenMP 201511\n", "", record::FactClass::warn});
  run.machine.facts.push_back({"libtorch_build (after)", "GCC 14.1\nOpenMP 201511\n", "", record::FactClass::warn});
  return run;
}

policy::Policy varying() {
  policy::Policy policy;
  policy.vary = {"libtorch"};
  return policy;
}

reports::Report judged_upgrade(const record::Run& run, const policy::Policy& policy) {
  auto report = judge_paired(run, policy);
  EXPECT_TRUE(report) << report.error().message;
  return *report;
}

// BEFORE and AFTER: of each process.
void add_check(record::Run& run, const std::string& name, double before, double after, double spread = 0) {
  double moved = 0;
  for (record::Process& process : run.processes) {
    record::OutputCheck check;
    check.against = "g/one/reference";
    check.max_abs = (process.side == 0 ? before : after) + moved;
    check.relative_l2 = check.max_abs;
    check.tolerance = 1;
    check.within = true;
    result_in(process, name)->check = check;
    moved += spread;
  }
}

TEST(UpgradeReport, IsOnlyWhereLibtorchIsVaried) {
  EXPECT_FALSE(judged_upgrade(upgraded(), {}).upgrade);
  policy::Policy kernel;
  kernel.vary = {"kernel"};
  EXPECT_FALSE(judged_upgrade(upgraded(), kernel).upgrade);
  EXPECT_TRUE(judged_upgrade(upgraded(), varying()).upgrade);
}

TEST(UpgradeReport, HasTheVersionsAndTheBuildKeyByKey) {
  const reports::Report report = judged_upgrade(upgraded(), varying());
  ASSERT_TRUE(report.upgrade);
  EXPECT_EQ(report.upgrade->before, "2.11.0");
  EXPECT_EQ(report.upgrade->after, "2.15.0");
  ASSERT_EQ(report.upgrade->build.size(), 1U);
  EXPECT_EQ(report.upgrade->build[0].name, "libtorch_build: GCC");
  EXPECT_TRUE(report.differences.empty());
}

TEST(UpgradeReport, GroupsTheCasesBySuite) {
  record::Run run = upgraded();
  add_exact(run, same_case, "operator_calls", 4);
  for (record::Process& process : run.processes)
    if (process.side == 1) result_in(process, same_case)->measurements.back().value = 3;
  const reports::Report report = judged_upgrade(run, varying());
  ASSERT_EQ(report.upgrade->suites.size(), 1U);
  const reports::CaseGroup& suite = report.upgrade->suites[0];
  EXPECT_EQ(suite.name, "g");
  EXPECT_EQ(suite.slower, 1);
  EXPECT_EQ(suite.faster, 0);
  EXPECT_EQ(suite.equal + suite.undecided, 1);
  EXPECT_EQ(suite.counts_changed, 1);
  ASSERT_TRUE(suite.mean_change);
  EXPECT_NEAR(*suite.mean_change, 0.095, 0.01) << "the square root of 1.2 x 1";
  EXPECT_EQ(report.upgrade->all.slower, 1);
}

TEST(UpgradeReport, SaysWhichResultsChanged) {
  record::Run run = upgraded();
  add_check(run, slow_case, 1e-6, 2e-6);
  add_check(run, same_case, 1e-6, 1e-6);
  const reports::Report report = judged_upgrade(run, varying());
  EXPECT_EQ(report.upgrade->checked, 2);
  ASSERT_EQ(report.upgrade->outputs.size(), 1U);
  EXPECT_EQ(report.upgrade->outputs[0].case_name, slow_case);
  EXPECT_EQ(report.upgrade->outputs[0].against, "g/one/reference");
  EXPECT_EQ(report.upgrade->outputs[0].before->max_abs, 1e-6);
  EXPECT_EQ(report.upgrade->suites[0].outputs_changed, 1);
}

TEST(UpgradeReport, ConcludesNothingFromResultsThatDoNotRepeat) {
  record::Run run = upgraded();
  add_check(run, slow_case, 1e-6, 2e-6, 1e-9);
  const reports::Report report = judged_upgrade(run, varying());
  EXPECT_EQ(report.upgrade->checked, 1);
  EXPECT_EQ(report.upgrade->not_repeatable, 1);
  EXPECT_TRUE(report.upgrade->outputs.empty());
}

TEST(UpgradeReport, GroupsOperatorsByNameOverAllCases) {
  record::Run run = upgraded();
  for (record::Process& process : run.processes) {
    for (const char* const name : {slow_case, same_case}) {
      const double factor = 1 + 0.0001 * static_cast<double>(process.index);
      record::OperatorProfile profile;
      profile.passes = 10;
      profile.call_ns = 1e5;
      const bool slower = process.side == 1 && name == slow_case;
      profile.operators.push_back({"aten::mm", "Float 8x8", 2, (slower ? 2e4 : 1e4) * factor});
      const bool faster = process.side == 1 && name == same_case;
      profile.operators.push_back({"aten::add", "Float 8x8", 1, (faster ? 4e3 : 5e3) * factor});
      profile.operators.push_back({"aten::relu", "Float 8x8", 1, 1e3});
      if (process.side == 0) profile.operators.push_back({"aten::copy_", "Float 8x8", 1, 1e2});
      result_in(process, name)->profile = profile;
    }
  }
  const reports::Upgrade upgrade = *judged_upgrade(run, varying()).upgrade;
  EXPECT_EQ(upgrade.profiled, 2);
  EXPECT_EQ(upgrade.operators_unchanged, 1) << "aten::relu";
  ASSERT_EQ(upgrade.operators.size(), 3U);
  const reports::UpgradeOperator& copy = upgrade.operators[0];
  EXPECT_EQ(copy.name, "aten::copy_") << "it is gone in two cases";
  EXPECT_EQ(copy.other_calls, 2);
  EXPECT_EQ(copy.calls_before, 2);
  EXPECT_EQ(copy.calls_after, 0);
  EXPECT_FALSE(copy.mean_change);
  const reports::UpgradeOperator& mm = upgrade.operators[1];
  EXPECT_EQ(mm.name, "aten::mm");
  EXPECT_EQ(mm.cases, 2);
  EXPECT_EQ(mm.slower, 1);
  ASSERT_TRUE(mm.mean_change);
  EXPECT_NEAR(*mm.mean_change, 0.414, 0.01) << "the square root of 2 x 1";
  const reports::UpgradeOperator& add = upgrade.operators[2];
  EXPECT_EQ(add.name, "aten::add");
  EXPECT_EQ(add.faster, 1);
  EXPECT_EQ(add.slower, 0);
}

TEST(UpgradeReport, DoubtsAComparisonOfTheSameLibtorch) {
  record::Run run = upgraded();
  std::erase_if(run.machine.facts, [](const auto& fact) { return fact.name.starts_with("libtorch_"); });
  const reports::Report report = judged_upgrade(run, varying());
  EXPECT_TRUE(mentions(report.doubts, "no difference of LibTorch was recorded"));
  EXPECT_FALSE(mentions(judged_upgrade(upgraded(), varying()).doubts, "no difference of LibTorch was recorded"));
}

TEST(UpgradeReport, InformsOfSlowerCases) {
  policy::Policy policy = varying();
  EXPECT_EQ(judged_upgrade(upgraded(), policy).outcome, reports::Outcome::fail);
  policy.informs = true;
  const reports::Report report = judged_upgrade(upgraded(), policy);
  EXPECT_EQ(report.outcome, reports::Outcome::pass);
  EXPECT_TRUE(report.informs);
  EXPECT_EQ(report.findings.front().action, reports::GateAction::warn);
  EXPECT_NE(report.headline.words().find("1 regression (not gated)"), std::string::npos) << report.headline.words();
}

// A case that does not run any more says nothing of its speed.
TEST(UpgradeReport, FailsWhereTheOtherVersionCrashes) {
  record::Run run = upgraded();
  for (record::Process& process : run.processes) {
    if (process.side == 0) continue;
    for (record::CaseResult& result : process.cases) {
      result.status = record::CaseStatus::failed;
      result.message = "undefined symbol";
      result.measurements.clear();
    }
  }
  policy::Policy policy = varying();
  policy.informs = true;
  EXPECT_EQ(judged_upgrade(run, policy).outcome, reports::Outcome::fail);
}

TEST(UpgradeReport, OfTwoRuns) {
  record::Run before = testing::empty_run("a");
  record::Run after = testing::empty_run("b");
  for (auto* const run : {&before, &after}) testing::add_case(*run, slow_case, testing::around(1e5, 0.001));
  before.machine.facts.push_back({"libtorch_version", "2.11.0", "", record::FactClass::warn});
  after.machine.facts.push_back({"libtorch_version", "2.15.0", "", record::FactClass::warn});
  Comparison comparison;
  comparison.baseline = {&before};
  comparison.current = &after;
  const auto report = judge_stored(comparison, varying());
  ASSERT_TRUE(report);
  ASSERT_TRUE(report->upgrade);
  EXPECT_EQ(report->upgrade->after, "2.15.0");
  EXPECT_EQ(report->upgrade->all.compared(), 1);
}

}  // namespace
}  // namespace torchgate::gate
