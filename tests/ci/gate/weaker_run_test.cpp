// SPDX-License-Identifier: Apache-2.0
// A change that was measured with less than its base asks for does not pass, and flags of the job that measures both
// sides do not count. tests/e2e/base_measures_test.sh measures some.
#include "ci/gate/weaker_run.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "ci/gate/judge.hpp"
#include "harness/record/imported.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using gate::testing::empty_run;
using Names = std::vector<std::string>;

record::Run made(const std::string& id) {
  record::Run run = empty_run(id);
  run.plan.profile = "default";
  run.plan.processes = 5;
  run.plan.group_limit_s = 600;
  run.plan.total_limit_s = 18000;
  run.machine.facts = {{"threads", "OMP_NUM_THREADS=1", "", record::FactClass::host},
                       {"allocator", "glibc.malloc.mmap_max=0", "", record::FactClass::host}};
  return run;
}

void set_fact(record::Run& run, const std::string& name, const std::string& value) {
  for (record::MachineFact& fact : run.machine.facts)
    if (fact.name == name) fact.value = value;
}

const std::vector<std::pair<std::string, std::function<void(record::Run&)>>> weaknesses{
    {"run.processes 1 instead of 5", [](auto& run) { run.plan.processes = 1; }},
    {"run.processes 4 instead of 5", [](auto& run) { run.plan.processes = 4; }},
    {"run.processes 0 instead of 5", [](auto& run) { run.plan.processes = 0; }},
    {"run.group_limit_s 0.01 instead of 600", [](auto& run) { run.plan.group_limit_s = 0.01; }},
    {"run.total_limit_s 0.05 instead of 18000", [](auto& run) { run.plan.total_limit_s = 0.05; }},
    {"profile quick instead of default", [](auto& run) { run.plan.profile = "quick"; }},
    {"profile imported instead of default", [](auto& run) { run.plan.profile = "imported"; }},
    {"run.threads \"OMP_NUM_THREADS=2\" instead of \"OMP_NUM_THREADS=1\"",
     [](auto& run) { set_fact(run, "threads", "OMP_NUM_THREADS=2"); }},
    {"run.allocator \"system\" instead of \"steady\"", [](auto& run) { set_fact(run, "allocator", "system"); }},
};

// Both times are in it, and PRIMARY is judged.
record::Run on_gpu(const std::string& id, const std::string& primary) {
  record::Run run = made(id);
  record::Case each;
  each.device = "cuda";
  for (const char* const name : {"time", "gpu_time_hot"})
    each.metrics.push_back(
        {name, "ns", record::Direction::lower_is_better, record::MetricKind::timed, name == primary});
  run.cases = {each};
  return run;
}

// A change that lets its GPU cases be judged by the device's own time hides that a caller waits longer.
TEST(WeakerRun, IsJudgedByTheMetricOfTheBase) {
  const record::Run stored = on_gpu("aaaa", "time");
  const record::Run device = on_gpu("bbbb", "gpu_time_hot");
  const Names says{"run.device_metric \"gpu_time_hot\" instead of \"time\""};
  EXPECT_EQ(facts::words_of(gate::weaker_than(device, {&stored}, policy::Policy{})), says);
  EXPECT_EQ(facts::words_of(gate::weaker_than(on_gpu("bbbb", "time"), {&stored}, policy::Policy{})), Names{});
  EXPECT_EQ(facts::words_of(gate::weaker_than(device, {&device}, policy::Policy{})), Names{}) << "as before";
  policy::Policy asked;
  asked.device_metric = policy::DeviceMetric::gpu_time_hot;
  EXPECT_EQ(facts::words_of(gate::weaker_than(device, {&stored}, asked)), Names{});
}

TEST(WeakerRun, NamesEachNumber) {
  const record::Run stored = made("aaaa");
  for (const auto& [says, weaken] : weaknesses) {
    record::Run run = made("bbbb");
    weaken(run);
    EXPECT_EQ(facts::words_of(gate::weaker_than(run, {&stored}, policy::Policy{})), Names{says});
  }
  EXPECT_EQ(facts::words_of(gate::weaker_than(made("bbbb"), {&stored}, policy::Policy{})), Names{});
  EXPECT_EQ(facts::words_of(gate::weaker_than(made("bbbb"), {}, policy::Policy{})), Names{});
}

// Flags and variables of a workflow apply to the base branch, too, and are not part of its policy.
TEST(WeakerRun, IgnoresWhatTheStoredRunHasAsWell) {
  for (const auto& [says, weaken] : weaknesses) {
    if (says.find(" 0 ") != std::string::npos) continue;  // an imported baseline says nothing of a run's processes
    record::Run stored = made("aaaa");
    record::Run run = made("bbbb");
    weaken(stored);
    weaken(run);
    EXPECT_EQ(facts::words_of(gate::weaker_than(run, {&stored}, policy::Policy{})), Names{}) << says;
    EXPECT_EQ(facts::words_of(gate::weaker_than(made("cccc"), {&stored}, policy::Policy{})), Names{})
        << "more is not weaker: " << says;
  }
}

TEST(WeakerRun, ThePolicyIsAllThatIsAskedFor) {
  record::Run stored = made("aaaa");
  stored.plan.processes = 20;
  stored.plan.group_limit_s = 9000;
  EXPECT_EQ(facts::words_of(gate::weaker_than(made("bbbb"), {&stored}, policy::Policy{})), Names{});
  policy::Policy fewer;
  fewer.processes = 3;
  record::Run run = made("bbbb");
  run.plan.processes = 3;
  EXPECT_EQ(facts::words_of(gate::weaker_than(run, {&stored}, fewer)), Names{})
      << "a change of the policy that the base branch has";
}

TEST(WeakerRun, AFullRunHasMoreCasesAndADefaultOneAsMuchPower) {
  record::Run stored = made("aaaa");
  stored.plan.profile = "full";
  EXPECT_EQ(facts::words_of(gate::weaker_than(made("bbbb"), {&stored}, policy::Policy{})), Names{});
}

TEST(WeakerRun, WhatARecordDoesNotHaveIsNotCompared) {
  const record::Run stored = made("aaaa");
  record::Run old = made("bbbb");
  old.plan.group_limit_s.reset();
  old.plan.total_limit_s.reset();
  old.machine.facts.clear();
  EXPECT_EQ(facts::words_of(gate::weaker_than(old, {&stored}, policy::Policy{})), Names{});
}

struct WeakerRunJudged : ::testing::Test {
  WeakerRunJudged() {
    policy.of_base = true;
    run.plan.processes = 1;
    report.outcome = reports::Outcome::no_verdict;
    report.headline = "no case could be judged";
  }
  record::Run stored = made("aaaa");
  record::Run run = made("bbbb");
  policy::Policy policy;
  reports::Report report;
};

TEST_F(WeakerRunJudged, AChangeFails) {
  for (const auto outcome : {reports::Outcome::no_verdict, reports::Outcome::pass}) {
    report.outcome = outcome;
    gate::judge_how_measured(run, {&stored}, policy, report);
    EXPECT_EQ(report.outcome, reports::Outcome::fail);
  }
  EXPECT_TRUE(report.headline.words().starts_with(
      "the run was measured with less than the base branch asks for: run.processes 1"))
      << report.headline;
  EXPECT_TRUE(report.headline.words().find("(gate.weaker_run)") != std::string::npos) << report.headline;
  EXPECT_EQ(report.doubts.at(0).kind, reports::DoubtKind::policy);
  EXPECT_NE(report.doubts.at(0).fix.find("set gate.weaker_run = \"warn\" on the base branch"), std::string::npos);
}

TEST_F(WeakerRunJudged, AFailureOfACaseKeepsItsHeadline) {
  report.outcome = reports::Outcome::fail;
  report.headline = "a: regressed";
  gate::judge_how_measured(run, {&stored}, policy, report);
  EXPECT_EQ(report.headline, "a: regressed");
  EXPECT_EQ(report.doubts.size(), 1U);
}

TEST_F(WeakerRunJudged, AtADeskFlagsAreFree) {
  policy.of_base = false;
  gate::judge_how_measured(run, {&stored}, policy, report);
  EXPECT_EQ(report.outcome, reports::Outcome::no_verdict);
  EXPECT_TRUE(report.doubts.empty());
}

TEST_F(WeakerRunJudged, WithNothingStoredNothingIsHidden) {
  gate::judge_how_measured(run, {}, policy, report);
  EXPECT_EQ(report.outcome, reports::Outcome::no_verdict);
  EXPECT_EQ(report.doubts.size(), 1U);
}

TEST_F(WeakerRunJudged, ThePolicyOfTheBaseMayWarnOnly) {
  policy.weaker_run = policy::Action::warn;
  gate::judge_how_measured(run, {&stored}, policy, report);
  EXPECT_EQ(report.outcome, reports::Outcome::no_verdict);
  EXPECT_EQ(report.doubts.size(), 1U);
  policy.weaker_run = policy::Action::pass;
  gate::judge_how_measured(run, {&stored}, policy, report);
  EXPECT_EQ(report.doubts.size(), 1U);
  EXPECT_EQ(report.notes.size(), 1U);
}

TEST(OtherSettings, AreThoseThatARunOfEitherSideLacks) {
  record::Run before = empty_run("aaaa");
  record::Run older = empty_run("bbbb");
  record::Run now = empty_run("cccc");
  const auto words = [&] { return facts::words_of(gate::other_settings(now, {&before, &older})); };
  EXPECT_EQ(words(), Names{});
  for (record::Run* run : {&before, &older, &now}) run->plan.warmup_calls = run->plan.samples = 3;
  EXPECT_EQ(words(), Names{});
  now.plan.warmup_calls = 1;
  EXPECT_EQ(words(), Names{"--warmup differs: 3 in the baseline, 1 in this run; measure both with the same --warmup"});
  now.plan.warmup_calls = 3;
  older.plan.samples.reset();
  EXPECT_EQ(words(),
            Names{"--samples differs: not set in the baseline, 3 in this run; measure both with the same --samples"});
  older.plan.samples = 3;
  before.plan.profile = "full";
  EXPECT_EQ(words(), Names{}) << "more cases, each measured in the same way";
  now.plan.profile = "quick";
  EXPECT_EQ(words(),
            Names{"profile differs: default in the baseline, quick in this run; measure both with the same profile"});
  now.plan.profile = record::imported_profile;
  EXPECT_EQ(words(), Names{});
}

TEST(OtherSettings, AreDoubtsWhereTimesAreJudged) {
  record::Run before = empty_run("aaaa");
  record::Run now = empty_run("bbbb");
  for (record::Run* run : {&before, &now}) gate::testing::add_case(*run, "g/one/v", gate::testing::around(1e5, 0.002));
  before.plan.warmup_calls = 1;
  gate::Comparison comparison;
  comparison.baseline = {&before};
  comparison.current = &now;
  policy::Policy policy;
  EXPECT_TRUE(gate::testing::mentions(gate::judge_stored(comparison, policy)->doubts, "--warmup differs"));
  policy.rule = "exact";
  EXPECT_FALSE(gate::testing::mentions(gate::judge_stored(comparison, policy)->doubts, "--warmup differs"));
}

}  // namespace
