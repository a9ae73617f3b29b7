// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/pairs/pairs_of_plan.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include <functional>

#include "harness/launch/schedule.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using gate::testing::add_case;
using gate::testing::around;
using gate::testing::empty_run;
using gate::testing::result_of;

constexpr std::int64_t planned_pairs = 16;

// A run with one slower case, its plan, and pairs as the launcher would have measured them.
struct Recorded {
  record::Run baseline = empty_run("aaaa");
  record::Run current = empty_run("bbbb");
  workflow::PairPlanFile plan;
  policy::Policy policy;
  record::Run pairs;

  explicit Recorded(double after_ns = 2e5, std::int64_t measured = planned_pairs) {
    for (record::Run* run : {&baseline, &current}) {
      add_case(*run, "g/one/v", around(1e5, 0.002));
      run->sides.front().source.commit = run->id;
    }
    plan.cases = {"g/one/v"};
    plan.pairs = planned_pairs;
    plan.seed = 7;
    plan.confirms = {current.id, baseline.id, 1};
    pairs = current;
    pairs.id = "pppp";
    pairs.sides = {record::Side{"before", baseline.sides.front().source, {"g"}},
                   record::Side{"after", current.sides.front().source, {"g"}}};
    pairs.plan.processes = planned_pairs;
    pairs.plan.seed = plan.seed;
    pairs.plan.confirms = plan.confirms;
    measure(after_ns, measured);
  }

  void measure(double after_ns, std::int64_t measured) {
    const record::CaseResult result = pairs.processes.front().cases.front();
    pairs.processes.clear();
    std::int64_t index = 0;
    for (const launch::Slot& slot : launch::make_schedule({{{0, 1}}}, plan.pairs, plan.seed)) {
      record::Process process;
      process.index = index++;
      process.side = slot.side;
      process.pair = slot.pair;
      process.order_in_pair = slot.order_in_pair;
      process.suite = "g";
      process.group = "g/one";
      process.seed = slot.seed;
      process.cases = {result};
      const double noise = 1 + 0.0001 * static_cast<double>((process.index * 7) % 5);
      process.cases.front().measurements.front().summary->median = noise * (slot.side == 0 ? 1e5 : after_ns);
      if (slot.round < measured) pairs.processes.push_back(process);
    }
  }

  [[nodiscard]] std::string refusal() const {
    const auto checked = workflow::check_measured_as_planned(pairs, plan, {baseline, current}, policy);
    EXPECT_TRUE(checked.ok() || checked.error().code == expected_code);
    return checked ? "" : checked.error().message;
  }

  base::ErrorCode expected_code = base::ErrorCode::bad_input;
};

TEST(PairsOfPlan, WhatTheLauncherMeasuredIsTaken) {
  EXPECT_EQ(Recorded().refusal(), "");
  EXPECT_EQ(Recorded(1e5).refusal(), "");
}

TEST(PairsOfPlan, AGroupMayEndOnlyWhereTheRuleHadItsAnswer) {
  EXPECT_EQ(Recorded(2e5, 12).refusal(), "");  // the first look that one suspect alone has
  for (const std::int64_t measured : {1, 2, 11})
    EXPECT_NE(Recorded(2e5, measured).refusal().find("is not decided by them"), std::string::npos) << measured;
  EXPECT_NE(Recorded(2e5, 0).refusal().find("has no process"), std::string::npos);
}

// Where the plan has a budget, it may have ended the pairs of any group: its cases stay open.
TEST(PairsOfPlan, AGroupMayEndWithTheBudgetOfThePlan) {
  Recorded recorded(2e5, 2);
  recorded.plan.budget_s = recorded.pairs.plan.budget_s = 60;
  EXPECT_EQ(recorded.refusal(), "");
  recorded.plan.budget_s = 61;
  EXPECT_NE(recorded.refusal().find("another budget"), std::string::npos) << recorded.refusal();
}

TEST(PairsOfPlan, AnOpenCaseMayHaveAnyNumberOfPairs) {
  for (const std::int64_t measured : {0, 2, 16}) {
    Recorded recorded(2e5, measured);
    recorded.plan.cases.clear();
    recorded.plan.confirms.family = 0;
    recorded.plan.confirms.open = {"g/one/v"};
    recorded.plan.confirms.open_family = 1;
    recorded.pairs.plan.confirms = recorded.plan.confirms;
    EXPECT_EQ(recorded.refusal(), "") << measured;
  }
}

TEST(PairsOfPlan, ThePlanIsReadAsItWasWritten) {
  Recorded recorded;
  recorded.plan.confirms.open = {"g/one/w", "g/two/v"};
  recorded.plan.confirms.open_family = 3;
  recorded.plan.confirms.open_budget_s = 12.5;
  recorded.plan.budget_pairs = 24;
  recorded.plan.confirms.pooled = {"1111111111111111", "2222222222222222"};
  recorded.plan.baseline_commit = std::string(40, 'a');
  recorded.plan.since = "v1.2";
  recorded.plan.warmup_calls = 1;
  recorded.plan.samples = 7;
  const auto read = workflow::pair_plan_from_json(workflow::to_json(recorded.plan), "plan");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, recorded.plan);
}

TEST(PairsOfPlan, NumbersOfThePlanHaveTheLimitsOfTheirFlags) {
  static constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  const std::vector<std::pair<const char*, std::function<void(workflow::PairPlanFile&)>>> beyond{
      {"/pairs", [](auto& plan) { plan.pairs = huge; }},
      {"/pairs", [](auto& plan) { plan.pairs = 1001; }},
      {"/family", [](auto& plan) { plan.confirms.family = huge; }},
      {"/open_family", [](auto& plan) { plan.confirms.open_family = huge; }},
      {"/open_budget_s", [](auto& plan) { plan.confirms.open_budget_s = 1e300; }},
      {"/budget_s", [](auto& plan) { plan.budget_s = -1; }},
      {"/budget_pairs", [](auto& plan) { plan.budget_pairs = huge; }}};
  for (const auto& [place, set] : beyond) {
    Recorded recorded;
    set(recorded.plan);
    const auto read = workflow::pair_plan_from_json(workflow::to_json(recorded.plan), "plan");
    ASSERT_FALSE(read) << place;
    EXPECT_TRUE(read.error().message.starts_with(std::string("plan: ") + place)) << read.error().message;
  }
}

TEST(PairsOfPlan, ShorterLimitsThanTheBaseAsksForAreRefused) {
  Recorded recorded;
  recorded.pairs.plan.group_limit_s = 0.01;
  EXPECT_EQ(recorded.refusal(), "") << "at a desk";
  recorded.policy.of_base = true;
  EXPECT_NE(recorded.refusal().find("shorter time limits"), std::string::npos) << recorded.refusal();
  recorded.current.plan.group_limit_s = 0.01;
  EXPECT_EQ(recorded.refusal(), "") << "as the run, which the gate compares with the policy";
  recorded.pairs.plan.total_limit_s = 0.05;
  EXPECT_NE(recorded.refusal(), "");
}

TEST(PairsOfPlan, LostProcessesKeepTheirPlaces) {
  Recorded recorded;
  for (record::Process& process : recorded.pairs.processes) {
    if (process.side == 0) continue;
    process.status = record::ProcessStatus::crashed;
    process.cases.clear();
  }
  EXPECT_EQ(recorded.refusal(), "");
}

TEST(PairsOfPlan, ASuiteThatCouldNotBeListedLeavesOneSide) {
  Recorded recorded;
  std::erase_if(recorded.pairs.processes, [](const auto& process) { return process.side == 1; });
  std::int64_t index = 0;
  for (const launch::Slot& slot : launch::make_schedule({{{0}}}, planned_pairs, recorded.plan.seed)) {
    record::Process& process = recorded.pairs.processes.at(static_cast<std::size_t>(index));
    process.index = index++;
    process.pair.reset();
    process.order_in_pair = 0;
    process.seed = slot.seed;
  }
  record::Process unlisted;
  unlisted.index = index;
  unlisted.side = 1;
  unlisted.suite = "g";
  unlisted.status = record::ProcessStatus::crashed;
  recorded.pairs.processes.push_back(unlisted);
  EXPECT_EQ(recorded.refusal(), "");
  recorded.pairs.processes.back().status = record::ProcessStatus::ok;
  EXPECT_NE(recorded.refusal().find("not part of the schedule"), std::string::npos) << recorded.refusal();
}

// Which machine of a pool a job gets is chance: no verdict, but not an error of the pairs either.
TEST(PairsOfPlan, PairsOfAnotherMachineGiveNoVerdict) {
  Recorded recorded;
  recorded.expected_code = base::ErrorCode::no_verdict;
  recorded.pairs.machine.host_key = "host-b";
  EXPECT_NE(recorded.refusal().find("measured on another machine than the run"), std::string::npos)
      << recorded.refusal();
}

TEST(PairsOfPlan, EveryDifferenceFromThePlanIsRefusedAndNamed) {
  struct Forgery {
    const char* named;
    std::function<void(Recorded&)> forge;
  };
  const auto process = [](Recorded& r, std::size_t i) -> record::Process& { return r.pairs.processes.at(i); };
  const std::vector<Forgery> forgeries{
      {"interrupted", [](Recorded& r) { r.pairs.interrupted = true; }},
      {"budget", [](Recorded& r) { r.pairs.plan.budget_s = 1; }},
      {"shard", [](Recorded& r) { r.pairs.plan.shards = 2; }},
      {"side \"before\" is of bbbb, expected aaaa", [](Recorded& r) { r.pairs.sides[0].source.commit = "bbbb"; }},
      {"(modified)", [](Recorded& r) { r.pairs.sides[1].source.modified = true; }},
      {"g/one/w is not in the plan", [](Recorded& r) { r.pairs.cases.front().name = "g/one/w"; }},
      {"another protocol", [](Recorded& r) { r.pairs.cases.front().protocol = "cpu-wall/2"; }},
      {"another protocol", [](Recorded& r) { r.pairs.cases.front().input_seed = 2; }},
      {"another protocol",
       [](Recorded& r) { r.pairs.cases.front().metrics.front().direction = record::Direction::higher_is_better; }},
      {"duplicate process 3", [&](Recorded& r) { process(r, 4).index = 3; }},
      {"process 900 is not part of the schedule", [&](Recorded& r) { process(r, 4).index = 900; }},
      {"the group of process 2 is g/two", [&](Recorded& r) { process(r, 2).group = "g/two"; }},
      {"the suite of process 2 is h", [&](Recorded& r) { process(r, 2).suite = "h"; }},
      {"the side of process 2", [&](Recorded& r) { process(r, 2).side = 1 - process(r, 2).side; }},
      {"the pair of process 2 is 9, expected 1", [&](Recorded& r) { process(r, 2).pair = 9; }},
      {"the order of process 2", [&](Recorded& r) { process(r, 2).order_in_pair = 1 - process(r, 2).order_in_pair; }},
      {"the seed of process 2", [&](Recorded& r) { process(r, 2).seed ^= 1; }},
      {"pair 0 of g/one is missing",
       [](Recorded& r) { std::erase_if(r.pairs.processes, [](const auto& p) { return p.pair == 0; }); }},
      {"pair 1 of g/one has one side only",
       [](Recorded& r) { r.pairs.processes.erase(r.pairs.processes.begin() + 2); }},
  };
  for (const Forgery& each : forgeries) {
    Recorded recorded;
    each.forge(recorded);
    EXPECT_NE(recorded.refusal().find(each.named), std::string::npos) << each.named << ": " << recorded.refusal();
  }
}

}  // namespace
