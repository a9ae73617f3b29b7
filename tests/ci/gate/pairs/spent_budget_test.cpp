// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/pairs/spent_budget.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "ci/gate/judge.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using gate::testing::add_paired_case;
using gate::testing::mentions;
using gate::testing::paired_run;
using reports::Verdict;

// Three pairs that say nothing yet, of 48.
record::Run three_pairs() {
  record::Run run = paired_run("pppp");
  run.plan.processes = 48;
  add_paired_case(run, "g/one/v", {1e5, 1.05e5, 1e5}, {1.02e5, 1.01e5, 1e5});
  return run;
}

// A budget of three pairs that ended before the group g/two.
record::Run with_an_unmeasured_group() {
  record::Run run = three_pairs();
  run.plan.budget_pairs = 3;
  record::Case definition = run.cases.front();
  definition.name = "g/two/v";
  definition.group = "g/two";
  run.cases.push_back(definition);
  return run;
}

std::string first_reason(const record::Run& run) {
  const auto report = gate::judge_paired(run, {});
  EXPECT_EQ(report->findings.front().verdict, Verdict::inconclusive);
  return report->findings.front().reasons.front();
}

TEST(SpentBudget, IsTheReasonOfWhatWasStillOpen) {
  record::Run run = three_pairs();
  EXPECT_EQ(first_reason(run).find("budget"), std::string::npos);
  run.plan.budget_s = 90;
  EXPECT_EQ(first_reason(run), "the pairs' budget of 90 s was spent after 3 of at most 48 pairs");
  run.plan.budget_pairs = 3;
  EXPECT_EQ(first_reason(run), "the pairs' budget of 90 s or 3 pairs was spent after 3 of at most 48 pairs");
  const auto report = gate::judge_paired(run, {});
  EXPECT_EQ(std::count(report->notes.begin(), report->notes.end(),
                       "the pairs' budget of 90 s or 3 pairs was spent before 1 case was decided"),
            1);
}

TEST(SpentBudget, IsNotBlamedForAnInterruption) {
  record::Run run = three_pairs();
  run.plan.budget_s = 90;
  run.interrupted = true;
  EXPECT_EQ(first_reason(run).find("budget"), std::string::npos);
}

TEST(SpentBudget, AnUnmeasuredCaseIsInconclusiveNotMissing) {
  const record::Run run = with_an_unmeasured_group();
  const auto report = gate::judge_paired(run, {});
  const auto found = std::find_if(report->findings.begin(), report->findings.end(),
                                  [](const auto& f) { return f.case_name == "g/two/v"; });
  ASSERT_NE(found, report->findings.end());
  EXPECT_EQ(found->verdict, Verdict::inconclusive);
  EXPECT_EQ(found->reasons.front(), "not measured: the budget of 3 pairs ran out before its first pair");
}

TEST(SpentBudget, WhatAnUnmeasuredCaseDoesIsSaidByItsTable) {
  const record::Run run = with_an_unmeasured_group();
  policy::Policy policy;
  ASSERT_TRUE(
      policy::apply_policy_text(policy, "[[case]]\nmatch = \"^g/two/\"\ninconclusive = \"fail\"\n", "/p/torchgate.toml")
          .ok());
  const auto report = gate::judge_paired(run, policy);
  EXPECT_EQ(report->outcome, reports::Outcome::fail);
}

TEST(SpentBudget, WhatWasDecidedStands) {
  record::Run run = paired_run("pppp");
  run.plan.processes = 48;
  run.plan.budget_s = 90;
  add_paired_case(run, "g/one/v", std::vector<double>(20, 1e5), std::vector<double>(20, 1.1e5));
  const auto report = gate::judge_paired(run, {});
  EXPECT_EQ(report->findings.front().verdict, Verdict::regressed);
  EXPECT_FALSE(mentions(report->notes, "budget"));
}

// Pairs that differ by a factor of two this way and that, of a case that was given up after its first look.
record::Run given_up() {
  record::Run run = paired_run("pppp");
  run.plan.processes = 48;
  run.plan.budget_s = 60;
  run.plan.confirms = record::Confirms{"", "aaaa", 0, {"g/one/v"}, 1};
  constexpr std::size_t first_look = 12;
  std::vector<double> after;
  for (std::size_t pair = 0; pair < first_look; ++pair) after.push_back(pair % 2 == 0 ? 2e5 : 0.5e5);
  add_paired_case(run, "g/one/v", std::vector<double>(first_look, 1e5), after);
  return run;
}

TEST(SpentBudget, IsNotBlamedForACaseThatVariesTooMuch) {
  EXPECT_EQ(first_reason(given_up()), "its processes differ by 106 %, too much for 48 pairs");
  const auto report = gate::judge_paired(given_up(), {});
  EXPECT_FALSE(mentions(report->notes, "was spent"));
}

TEST(SpentBudget, IsBlamedWhereAForecastGaveNoCaseUp) {
  record::Run run = given_up();
  run.plan.confirms.reset();  // `ab`
  EXPECT_EQ(first_reason(run), "the pairs' budget of 60 s was spent after 12 of at most 48 pairs");
}

}  // namespace
