// SPDX-License-Identifier: Apache-2.0
// A run that measured nothing for a group is judged by the evidence in it, compared with the baseline at hand.
#include "ci/gate/evidence/unchanged_groups.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "ci/gate/judge.hpp"
#include "tests/ci/gate/found.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using namespace torchgate::gate::testing;
using reports::GateAction;
using reports::Verdict;

constexpr const char* unchanged_case = "g/one/v";

std::vector<record::LoadedObject> objects() {
  return {{"/b/suite", "", 1, 1, 1, std::string(64, 'a'), true, false},
          {"/l/libtorch.so", "libtorch.so", 1, 2, 1, std::string(64, 'b'), false, false}};
}

class UnchangedGroupsTest : public ::testing::Test {
 protected:
  UnchangedGroupsTest() {
    add_case(baseline, unchanged_case, around(1000, quiet));
    baseline.objects = objects();
    baseline.files = {{"/data/weights", std::string(64, 'c')}, {"/data/absent", ""}};
    for (record::Process& process : baseline.processes) {
      process.objects = {0, 1};
      process.files = std::vector<std::int64_t>{0, 1};
    }
    current.cases = baseline.cases;
    current.objects = {objects()[1], objects()[0]};
    current.files = {baseline.files[1], baseline.files[0]};
    current.unchanged = {{"g/one", baseline.id, {0, 1}, {0, 1}}};
  }

  reports::Report judge() {
    gate::Comparison comparison;
    comparison.baseline = {&baseline};
    comparison.current = &current;
    comparison.doubts = {{"two separate runs", reports::DoubtKind::separate_runs}};
    auto report = gate::judge_stored(comparison, policy);
    EXPECT_TRUE(report) << report.error().message;
    return report ? *std::move(report) : reports::Report{};
  }

  void expect_missing(const std::string& why) {
    const reports::Report report = judge();
    EXPECT_EQ(report.outcome, reports::Outcome::fail) << why;
    const reports::Finding& found = finding(report, unchanged_case);
    EXPECT_EQ(found.verdict, Verdict::missing) << why;
    EXPECT_TRUE(mentions(found.reasons, why)) << found.reasons.front();
  }

  policy::Policy policy;
  record::Run baseline = empty_run("0000000000000001");
  record::Run current = empty_run("0000000000000002");
};

TEST_F(UnchangedGroupsTest, TheSameContentIsUnchangedAndDecided) {
  const reports::Report report = judge();
  EXPECT_EQ(report.outcome, reports::Outcome::pass);
  EXPECT_EQ(report.cases_judged, 1);
  EXPECT_EQ(report.headline, "no regression in 1 case; 1 unchanged");
  EXPECT_TRUE(report.doubts.empty());
  EXPECT_TRUE(mentions(report.notes, "1 of 1 case unchanged: nothing was measured for it"));
  const reports::Finding& found = finding(report, unchanged_case);
  EXPECT_EQ(found.verdict, Verdict::unchanged);
  EXPECT_EQ(found.action, GateAction::pass);
  EXPECT_EQ(facts::words_of(found.reasons),
            (std::vector<std::string>{"executable, 1 library and 2 files are "
                                      "byte-identical to those of run 0000000000000001"}));
  EXPECT_FALSE(found.change);
}

// A budget holds whatever changed: what was not measured again is what the baseline measured.
TEST_F(UnchangedGroupsTest, ABudgetIsAskedOfTheBaseline) {
  ASSERT_TRUE(policy::apply_policy_text(policy, "[[case]]\nmatch = \"^g/\"\nbudget = { time = \"900 ns\" }\n",
                                        "/p/torchgate.toml")
                  .ok());
  reports::Report report = judge();
  EXPECT_EQ(report.outcome, reports::Outcome::fail);
  EXPECT_EQ(finding(report, unchanged_case).verdict, Verdict::over_budget);
  policy.case_rules.clear();
  ASSERT_TRUE(policy::apply_policy_text(policy, "[[case]]\nmatch = \"^g/\"\nbudget = { time = \"2 us\" }\n",
                                        "/p/torchgate.toml")
                  .ok());
  report = judge();
  EXPECT_EQ(finding(report, unchanged_case).verdict, Verdict::unchanged);
}

TEST_F(UnchangedGroupsTest, AnotherRunWithTheSameContentProvesItToo) {
  current.unchanged[0].since = "00000000000000aa";
  EXPECT_EQ(finding(judge(), unchanged_case).verdict, Verdict::unchanged);
}

TEST_F(UnchangedGroupsTest, OtherContentIsMissingNotUnchanged) {
  current.objects[0].sha256 = std::string(64, 'd');
  expect_missing("not the same as in run 0000000000000001: libtorch.so differs");
  current.objects = {objects()[1]};
  current.unchanged[0].objects = {0};
  expect_missing("its executable is unknown");
  current.objects = objects();
  current.unchanged[0].objects = {0};
  expect_missing("libtorch.so differs");
  current.unchanged[0].objects = {0, 1};
  current.files[1].sha256 = std::string(64, 'd');
  expect_missing("the file /data/weights differs");
  current.unchanged[0].files = {0};
  expect_missing("the file /data/weights differs");
}

TEST_F(UnchangedGroupsTest, AnotherMachineStateIsMissingNotUnchanged) {
  current.machine.facts[1].value = "6.2";
  expect_missing("kernel was 6.1 and is 6.2");
}

TEST_F(UnchangedGroupsTest, ABaselineThatDoesNotKnowProvesNothing) {
  for (record::Process& process : baseline.processes) process.files.reset();
  expect_missing("the files it reads are unknown");
  baseline.processes.clear();
  expect_missing("it was not measured in that run");
}

TEST_F(UnchangedGroupsTest, ACaseThatTheBaselineDoesNotHaveIsMissing) {
  current.cases.push_back(current.cases.front());
  current.cases.back().name = "g/one/w";
  const reports::Report report = judge();
  EXPECT_EQ(finding(report, "g/one/w").verdict, Verdict::missing);
  EXPECT_EQ(finding(report, unchanged_case).verdict, Verdict::unchanged);
}

TEST_F(UnchangedGroupsTest, WhatWasMeasuredIsJudgedByItsNumbers) {
  current.cases.clear();
  add_case(current, unchanged_case, around(2000, quiet));
  const reports::Finding found = finding(judge(), unchanged_case);
  EXPECT_NE(found.verdict, Verdict::unchanged);
  EXPECT_TRUE(found.change && *found.change > 0.9);
}

TEST_F(UnchangedGroupsTest, AnUnfitMachineOfTheBaselineDoesNotMatter) {
  baseline.machine.checks_before = {
      {"throttle", record::CheckAnswer::bad, record::CheckSeverity::fatal, "throttled", ""}};
  EXPECT_EQ(judge().outcome, reports::Outcome::pass);
}

TEST_F(UnchangedGroupsTest, ARunAloneSaysThatItMeasuredNothing) {
  const auto report = gate::describe_run(current, {});
  ASSERT_TRUE(report);
  EXPECT_EQ(finding(*report, unchanged_case).verdict, Verdict::skipped);
  EXPECT_EQ(finding(*report, unchanged_case).reasons.front(),
            "not measured: its group is unchanged since run 0000000000000001");
}

TEST_F(UnchangedGroupsTest, ItsClaimsAreNotMeasured) {
  record::Claim claim;
  claim.case_name = claim.reference_case = unchanged_case;
  claim.metric = "time";
  current.groups[0].claims = {claim};
  const reports::Report report = judge();
  ASSERT_EQ(report.claims.size(), 1U);
  EXPECT_EQ(report.claims[0].state, reports::ClaimState::not_measured);
  EXPECT_EQ(facts::listed(report.claims[0].reasons), "not measured: its group is unchanged since run 0000000000000001");
}

}  // namespace
