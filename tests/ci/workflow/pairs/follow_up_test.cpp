// SPDX-License-Identifier: Apache-2.0
// Pairs that leave a case open, and the instructions that are counted after them: a real Callgrind, and a suite whose numbers are known.
#include "ci/workflow/pairs/follow_up.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>

#include "ci/gate/judge.hpp"
#include "harness/launch/count/count_process.hpp"
#include "harness/launch/launcher.hpp"
#include "harness/record/codec.hpp"
#include "tests/ci/gate/found.hpp"
#include "tests/ci/gate/made_run.hpp"
#include "tests/ci/workflow/told.hpp"

namespace torchgate::workflow {
namespace {

using gate::testing::mentions;

const std::string loop = "counted/loop/loop/turns:100000";

// Two pairs, which cannot decide anything. After: THOUSANDTHS more turns of its loop.
launch::Request two_pairs(const std::string& thousandths) {
  launch::Request request;
  request.sides = {{"before", {TORCHGATE_COUNTED_SUITE}, {{"COUNTED_EXTRA", "0"}}, {}},
                   {"after", {TORCHGATE_COUNTED_SUITE}, {{"COUNTED_EXTRA", thousandths}}, {}}};
  request.plan.profile = "quick";
  request.plan.processes = 2;
  request.plan.seed = 1;
  request.plan.group_limit_s = 60;
  request.only_cases = {loop};
  request.tool_version = "0.0.0";
  request.allow_noisy = true;
  request.lock_file.clear();
  return request;
}

record::Run measured(const launch::Request& request) {
  launch::Observer nobody;
  auto run = launch::measure(request, nobody);
  if (!run) throw std::logic_error(run.error().message);
  return *std::move(run);
}

policy::Policy noisy_policy() {
  policy::Policy policy;
  policy.allow_noisy = true;
  return policy;
}

const reports::Finding* counted(const reports::Report& report) {
  const auto found = std::find_if(report.findings.begin(), report.findings.end(), reports::is_counted_regression);
  return found == report.findings.end() ? nullptr : &*found;
}

class CountUndecided : public ::testing::Test {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "the program of a sanitizer does not run under Valgrind";
#endif
    if (!launch::find_callgrind() && !launch::check_hardware_counter())
      GTEST_SKIP() << launch::find_callgrind().error().message;
  }
};

TEST_F(CountUndecided, TenPerCentMoreInstructionsAreARegression) {
  const launch::Request request = two_pairs("100");
  record::Run run = measured(request);
  ASSERT_EQ(gate::testing::finding(gate::judge_paired(run, noisy_policy()).value(), loop).verdict,
            reports::Verdict::inconclusive);
  testing::Told told;
  follow_up(request, noisy_policy(), run, told);
  ASSERT_EQ(run.instructions.size(), 2U);
  EXPECT_TRUE(mentions(told.notes, "counting the instructions of 1 case that its times leave open"));
  for (const record::InstructionCount& each : run.instructions) {
    ASSERT_EQ(each.per_call.size(), 5U) << each.unknown << ": two, and three more since it looks like a regression";
    EXPECT_NEAR(each.per_call.front(), each.side == 0 ? 6e5 : 6.6e5, 100) << "six instructions a turn";
  }
  // What another job judges is what is in the record.
  const auto text = record::to_json(run);
  const auto read = record::run_from_json(text, "the pairs");
  ASSERT_TRUE(read) << read.error().message;
  const auto report = gate::judge_paired(*read, noisy_policy()).value();
  ASSERT_NE(counted(report), nullptr);
  EXPECT_NEAR(*counted(report)->change, 0.1, 0.001);
  EXPECT_EQ(report.outcome, reports::Outcome::fail);
}

TEST_F(CountUndecided, NoMoreInstructionsAreSaidAndDecideNothing) {
  const launch::Request request = two_pairs("1");  // 0.1 %
  record::Run run = measured(request);
  testing::Told told;
  follow_up(request, noisy_policy(), run, told);
  EXPECT_EQ(run.instructions.front().per_call.size(), 2U);
  const auto report = gate::judge_paired(run, noisy_policy()).value();
  EXPECT_EQ(counted(report), nullptr);
  EXPECT_EQ(report.decided.no_more_instructions, 1);
  EXPECT_EQ(report.outcome, reports::Outcome::no_verdict);
}

TEST_F(CountUndecided, NothingIsCountedWhereThePolicyOrItsRuleDoesNotWantIt) {
  const launch::Request request = two_pairs("100");
  record::Run run = measured(request);
  testing::Told told;
  policy::Policy off = noisy_policy();
  off.count_undecided = false;
  follow_up(request, off, run, told);
  policy::Policy exact = noisy_policy();
  exact.rule = "exact";
  follow_up(request, exact, run, told);
  record::Run stopped = run;
  stopped.interrupted = true;
  follow_up(request, noisy_policy(), stopped, told);
  EXPECT_TRUE(run.instructions.empty());
  EXPECT_TRUE(stopped.instructions.empty());
  EXPECT_TRUE(told.notes.empty());
}

TEST_F(CountUndecided, WithoutTimeTheReasonIsInTheRecord) {
  const launch::Request request = two_pairs("100");
  record::Run run = measured(request);
  run.plan.total_limit_s = 1e-9;
  testing::Told told;
  follow_up(request, noisy_policy(), run, told);
  ASSERT_EQ(run.instructions.size(), 2U);
  EXPECT_NE(run.instructions.front().unknown.find("the time for it was spent"), std::string::npos);
}

TEST(CountUndecidedWithoutValgrind, SaysOnceWhatToInstall) {
  if (launch::check_hardware_counter()) GTEST_SKIP() << "the CPU counts here";
  const launch::Request request = two_pairs("100");
  record::Run run = measured(request);
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", "/nonexistent", 1);
  testing::Told told;
  follow_up(request, noisy_policy(), run, told);
  ::setenv("PATH", path.c_str(), 1);
  ASSERT_EQ(told.warnings.size(), 1U);
  EXPECT_TRUE(mentions(told.warnings, "apt-get install valgrind"));
  const auto report = gate::judge_paired(run, noisy_policy()).value();
  EXPECT_EQ(std::count_if(report.notes.begin(), report.notes.end(),
                          [](const std::string& note) { return note.find("valgrind") != std::string::npos; }),
            1);
}

// A fifth of a budget of 100 s that was planned: 80 s are for the pairs.
TEST(TimeForCounts, IsWhatTheBudgetKeepsForThemAndWhatThePairsDidNotUse) {
  using std::chrono::seconds;
  record::Run run;
  EXPECT_EQ(time_for_counts(run), std::chrono::minutes(10));
  run.plan.budget_s = 80;
  record::Process process;
  process.wall_ns = 30'000'000'000;
  run.processes = {process, process};
  EXPECT_NEAR(std::chrono::duration<double>(time_for_counts(run)).count(), 20 + 20, 1e-6);
  run.processes.assign(4, process);
  EXPECT_NEAR(std::chrono::duration<double>(time_for_counts(run)).count(), 20, 1e-6) << "the pairs took longer";
  EXPECT_EQ(time_for_counts(run, seconds{180}), seconds{180}) << "no time was stated";
  run.plan.total_limit_s = 125;
  EXPECT_NEAR(std::chrono::duration<double>(time_for_counts(run)).count(), 5, 1e-6);
  EXPECT_NEAR(std::chrono::duration<double>(time_for_counts(run, seconds{180})).count(), 5, 1e-6);
  run.plan.budget_s.reset();
  run.plan.confirms = record::Confirms{};
  run.plan.confirms->open_budget_s = 8;
  run.plan.total_limit_s.reset();
  EXPECT_NEAR(std::chrono::duration<double>(time_for_counts(run)).count(), 2, 1e-6);
}

}  // namespace
}  // namespace torchgate::workflow
