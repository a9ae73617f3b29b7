// SPDX-License-Identifier: Apache-2.0
// Pairs that several machines measured: the same values give the same report as those of one machine, and what a machine did not measure
// passes nothing.
#include "ci/workflow/pairs/pair_shards.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "ci/gate/judge.hpp"
#include "ci/policy/since_pin.hpp"
#include "ci/workflow/pairs/pairs_of_plan.hpp"
#include "harness/launch/schedule.hpp"
#include "harness/launch/shards/merge_shards.hpp"
#include "reports/formats/json.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using gate::testing::add_case;
using gate::testing::around;
using gate::testing::empty_run;
using Groups = std::vector<std::string>;

constexpr std::int64_t most_pairs = 16;
constexpr double base_ns = 1e5;

// One case and five processes of each group.
record::Run run_of_groups(const std::string& id, const std::function<double(const std::string&)>& level) {
  record::Run run = empty_run(id);
  run.groups.clear();
  run.sides.front().source.commit = id;
  for (const char* group : {"g/a", "g/b", "g/c"}) {
    record::Run one = empty_run(id);
    add_case(one, std::string(group) + "/v", around(base_ns * level(group), 0.002));
    one.cases.front().group = group;
    run.groups.push_back({group, "g", std::nullopt, {}});
    run.cases.push_back(one.cases.front());
    for (record::Process& process : one.processes) {
      process.group = group;
      process.index = static_cast<std::int64_t>(run.processes.size());
      run.processes.push_back(process);
    }
  }
  return run;
}

// A run in which one group is slower, its plan, and what pairs of it measure.
struct RecordedGroups {
  double slower = 1.3;  // of g/a
  record::Run baseline = run_of_groups("aaaa", [](const std::string&) { return 1.0; });
  record::Run current;
  workflow::PairPlanFile plan;
  policy::Policy policy;

  explicit RecordedGroups(double slow_down = 1.3)
      : slower(slow_down),
        current(run_of_groups("bbbb", [&](const std::string& group) { return group == "g/a" ? slow_down : 1.0; })) {
    if (slower > 1) plan.cases = {"g/a/v"};
    plan.pairs = most_pairs;
    plan.seed = 7;
    plan.confirms = {current.id, baseline.id, slower > 1 ? 1 : 0};
    plan.confirms.open = slower > 1 ? Groups{"g/b/v", "g/c/v"} : Groups{"g/a/v", "g/b/v", "g/c/v"};
    plan.confirms.open_family = static_cast<std::int64_t>(plan.confirms.open.size());
  }

  // By nothing but group, side and number of the pair, whichever machine measures it and when.
  [[nodiscard]] double value(const std::string& group, const launch::Slot& slot) const {
    const double level = slot.side == 1 && group == "g/a" ? slower : 1.0;
    return base_ns * level * (1 + 0.0005 * static_cast<double>((slot.round * 5 + slot.side * 3) % 7));
  }

  // What one machine measures of these groups, in its own schedule.
  [[nodiscard]] record::Run pairs(const Groups& groups) const {
    record::Run run = current;
    run.id = "pppp";
    run.sides = {record::Side{"before", baseline.sides.front().source, {"g"}},
                 record::Side{"after", current.sides.front().source, {"g"}}};
    run.plan.processes = most_pairs;
    run.plan.seed = plan.seed;
    run.plan.confirms = plan.confirms;
    const auto is_other = [&](const std::string& group) {
      return std::find(groups.begin(), groups.end(), group) == groups.end();
    };
    std::erase_if(run.groups, [&](const record::Group& group) { return is_other(group.name); });
    std::erase_if(run.cases, [&](const record::Case& each) { return is_other(each.group); });
    const std::vector<record::Process> recorded = std::exchange(run.processes, {});
    std::int64_t index = 0;
    const std::vector<launch::GroupSides> sides(groups.size(), launch::GroupSides{{0, 1}});
    for (const launch::Slot& slot : launch::make_schedule(sides, plan.pairs, plan.seed)) {
      const std::string& group = groups[slot.group];
      record::Process process =
          *std::find_if(recorded.begin(), recorded.end(), [&](const auto& each) { return each.group == group; });
      process.index = index++;
      process.side = slot.side;
      process.pair = slot.pair;
      process.order_in_pair = slot.order_in_pair;
      process.seed = slot.seed;
      process.cases.front().measurements.front().summary->median = value(group, slot);
      run.processes.push_back(std::move(process));
    }
    return run;
  }

  [[nodiscard]] std::vector<Groups> division(std::int64_t shards) const {
    return workflow::divide_pairs(plan, baseline, current, shards);
  }

  // Shard NUMBER, from 1, of as many.
  [[nodiscard]] launch::ShardFile part(std::int64_t number, std::int64_t shards) const {
    record::Run run = pairs(division(shards)[static_cast<std::size_t>(number - 1)]);
    run.id = std::string(15, '0') + std::to_string(number);
    run.plan.shard = number;
    run.plan.shards = shards;
    run.plan.division = division(shards);
    return {"part" + std::to_string(number), run};
  }

  [[nodiscard]] record::Run merged(const std::vector<std::int64_t>& numbers, std::int64_t shards) const {
    std::vector<launch::ShardFile> parts;
    for (const std::int64_t number : numbers) parts.push_back(part(number, shards));
    auto run = launch::merge_shards(std::move(parts));
    if (!run) throw std::runtime_error(run.error().message);
    return *std::move(run);
  }

  [[nodiscard]] std::string refusal(const record::Run& measured) const {
    const auto checked = workflow::check_measured_as_planned(measured, plan, {baseline, current}, policy);
    return checked ? "" : checked.error().message;
  }

  [[nodiscard]] gate::Comparison comparison(const record::Run& measured) const {
    gate::Comparison comparison;
    comparison.baseline = {&baseline};
    comparison.current = &current;
    comparison.confirmable = true;
    comparison.pairs = &measured;
    return comparison;
  }
  [[nodiscard]] reports::Report judged(const record::Run& measured) const {
    auto report = gate::judge_stored(comparison(measured), policy);
    if (!report) throw std::runtime_error(report.error().message);
    return *std::move(report);
  }
};

const reports::Finding& time_of(const reports::Report& report, const std::string& name) {
  const auto found = std::find_if(report.findings.begin(), report.findings.end(), [&](const reports::Finding& each) {
    return each.case_name == name && each.metric.name == "time";
  });
  if (found == report.findings.end()) throw std::runtime_error("no finding of " + name);
  return *found;
}

TEST(PairShards, DivideWholeGroupsByWhatTheyTook) {
  RecordedGroups recorded;
  EXPECT_EQ(recorded.division(3), (std::vector<Groups>{{"g/a"}, {"g/b"}, {"g/c"}})) << "without times all are alike";
  for (record::Run* run : {&recorded.baseline, &recorded.current})
    for (record::Process& process : run->processes) process.wall_ns = process.group == "g/c" ? 9'000'000 : 2'000'000;
  EXPECT_EQ(recorded.division(2), (std::vector<Groups>{{"g/c"}, {"g/a", "g/b"}}));
  recorded.plan.confirms.open.clear();
  EXPECT_EQ(recorded.division(2), (std::vector<Groups>{{"g/a"}, {}}))
      << "groups without a planned case are in no shard";
}

TEST(PairShards, ABudgetOfPairsCannotBeShared) {
  RecordedGroups recorded;
  launch::Request request;
  ASSERT_TRUE(workflow::use_pair_shard({2, 3}, recorded.plan, recorded.baseline, recorded.current, request));
  EXPECT_EQ(request.plan.shard, 2);
  EXPECT_EQ(request.plan.division, recorded.division(3));
  recorded.plan.budget_pairs = 24;
  const auto refused = workflow::use_pair_shard({2, 3}, recorded.plan, recorded.baseline, recorded.current, request);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::ErrorCode::bad_input);
  EXPECT_NE(refused.error().message.find("a number of pairs"), std::string::npos) << refused.error().message;
  EXPECT_TRUE(workflow::use_pair_shard({}, recorded.plan, recorded.baseline, recorded.current, request));
}

TEST(PairShards, TheSameValuesGiveTheReportOfOneMachine) {
  for (const double slower : {1.3, 1.0}) {
    const RecordedGroups recorded(slower);
    const record::Run one = recorded.pairs({"g/a", "g/b", "g/c"});
    const std::string report = reports::render_json(recorded.judged(one));
    EXPECT_EQ(recorded.refusal(one), "");
    for (const std::int64_t shards : {2, 3}) {
      std::vector<std::int64_t> numbers;
      for (std::int64_t number = shards; number > 0; --number) numbers.push_back(number);  // in any order
      const record::Run merged = recorded.merged(numbers, shards);
      EXPECT_EQ(recorded.refusal(merged), "") << shards;
      EXPECT_EQ(reports::render_json(recorded.judged(merged)), report) << shards;
    }
  }
}

TEST(PairShards, ASlowDownIsFoundInEveryDivision) {
  const RecordedGroups recorded;
  const reports::Report report = recorded.judged(recorded.merged({1, 2, 3}, 3));
  EXPECT_EQ(report.outcome, reports::Outcome::fail);
  EXPECT_EQ(time_of(report, "g/a/v").verdict, reports::Verdict::regressed);
}

TEST(PairShards, GroupsOfAMissingShardAreNamedAndPassNothing) {
  const RecordedGroups recorded(1.0);
  const reports::Report all = recorded.judged(recorded.merged({1, 2, 3}, 3));
  EXPECT_EQ(all.outcome, reports::Outcome::pass) << all.headline;
  const record::Run some = recorded.merged({1, 3}, 3);
  EXPECT_EQ(recorded.refusal(some), "") << "what was measured is judged";
  const reports::Report report = recorded.judged(some);
  EXPECT_EQ(report.outcome, reports::Outcome::no_verdict);
  EXPECT_EQ(report.headline.words().rfind(
                "INCOMPLETE: group g/b was not measured in pairs (shard 2 of 3 is missing); what it measured shows", 0),
            0U)
      << report.headline;
  EXPECT_TRUE(gate::testing::mentions(report.doubts, "the pairs: shard 2 of 3 is missing"));
}

TEST(PairShards, ASuspectOfAMissingShardStaysSuspected) {
  const RecordedGroups recorded;
  const reports::Report report = recorded.judged(recorded.merged({2, 3}, 3));
  EXPECT_NE(report.outcome, reports::Outcome::pass);
  const reports::Finding& suspect = time_of(report, "g/a/v");
  EXPECT_EQ(suspect.verdict, reports::Verdict::suspected);
  EXPECT_TRUE(gate::testing::mentions(suspect.reasons,
                                      "not confirmed: its group was not measured in pairs: shard 1 of 3 is missing"));
}

// Where pairs alone decide, too.
TEST(PairShards, WithoutStoredTimesAMissingGroupHasNoAnswer) {
  const RecordedGroups recorded(1.0);
  const record::Run some = recorded.merged({1, 3}, 3);
  const auto report = gate::judge_since(recorded.comparison(some), policy::pairs_alone(recorded.policy));
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->outcome, reports::Outcome::no_verdict);
  EXPECT_EQ(report->headline.words().rfind("INCOMPLETE: group g/b was not measured in pairs", 0), 0U)
      << report->headline;
  EXPECT_TRUE(
      gate::testing::mentions(time_of(*report, "g/b/v").reasons, "not compared in pairs: shard 2 of 3 is missing"));
}

TEST(PairShards, EveryDifferenceFromThePlanIsRefusedAndNamed) {
  struct Forgery {
    const char* named;
    std::function<void(record::Run&)> forge;
  };
  const std::vector<Forgery> forgeries{
      {"shard 2 of 3 alone",
       [](record::Run& run) {
         run.plan.shard = 2;
         run.plan.shards = 3;
       }},
      {"the group of g/a/v is in none of their shards", [](record::Run& run) { run.plan.division[0] = {"g/d"}; }},
      {"g/c/v of the plan is missing",
       [](record::Run& run) { std::erase_if(run.cases, [](const auto& each) { return each.name == "g/c/v"; }); }},
      {"which no shard measures", [](record::Run& run) { run.processes.at(3).group = "g/d"; }},
      {"duplicate process of pair 0", [](record::Run& run) { run.processes.push_back(run.processes.front()); }},
      {"pair 99 of g/a is not part of the schedule", [](record::Run& run) { run.processes.front().pair = 99; }},
      {"the seed of process 2", [](record::Run& run) { run.processes.at(2).seed ^= 1; }},
      {"the order of process 2",
       [](record::Run& run) { run.processes.at(2).order_in_pair = 1 - run.processes.at(2).order_in_pair; }},
      {"has one side only", [](record::Run& run) { run.processes.erase(run.processes.begin() + 2); }},
      {"is missing", [](record::Run& run) { std::erase_if(run.processes, [](const auto& p) { return p.pair == 1; }); }},
      {"interrupted", [](record::Run& run) { run.interrupted = true; }},
  };
  const RecordedGroups recorded;
  for (const Forgery& each : forgeries) {
    record::Run merged = recorded.merged({1, 2, 3}, 3);
    each.forge(merged);
    EXPECT_NE(recorded.refusal(merged).find(each.named), std::string::npos)
        << each.named << ": " << recorded.refusal(merged);
  }
}

}  // namespace
