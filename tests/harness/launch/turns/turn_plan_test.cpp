// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/turns/turn_plan.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace torchgate::launch {
namespace {

constexpr std::int64_t ms = 1'000'000;

/// Two sides that answer as suites do.
struct Sides {
  std::array<std::int64_t, 2> near_floor_per_turn{1, 1};
  std::array<std::int64_t, 2> turn_ns{8 * ms, 8 * ms};
  std::int64_t budget_ns = 3'000 * ms;
  std::array<std::int64_t, 2> turns{0, 0};

  std::string answer(const TurnPlan::Ask& ask) {
    if (ask.line.starts_with("case ")) {
      turns[ask.side] = 0;
      return "ready 300000 " + std::to_string(budget_ns);
    }
    if (ask.line == "end") return "done";
    ++turns[ask.side];
    return "took 26 " + std::to_string(turns[ask.side] * near_floor_per_turn[ask.side]) + " " +
           std::to_string(turn_ns[ask.side]);
  }
};

std::vector<TurnPlan::Ask> all_of(TurnPlan& plan, Sides& sides) {
  std::vector<TurnPlan::Ask> asks;
  while (const auto ask = plan.next()) {
    asks.push_back(*ask);
    const auto taken = plan.answered(sides.answer(*ask));
    EXPECT_TRUE(taken) << ask->line;
    if (!taken || asks.size() > 10'000) break;
  }
  return asks;
}

std::int64_t count(const std::vector<TurnPlan::Ask>& asks, std::size_t side, const std::string& line) {
  return std::count_if(asks.begin(), asks.end(),
                       [&](const TurnPlan::Ask& ask) { return ask.side == side && ask.line == line; });
}

const std::string turn = "turn 8000000";

TEST(TurnPlan, MeasuresEachCaseOnBothSidesInTurns) {
  TurnPlan plan({{"a"}, {"b"}}, 7);
  Sides sides;
  const auto asks = all_of(plan, sides);
  for (const std::size_t side : {0U, 1U}) {
    EXPECT_EQ(count(asks, side, "case a"), 1);
    EXPECT_EQ(count(asks, side, "case b"), 1);
    EXPECT_EQ(count(asks, side, "end"), 2);
    EXPECT_EQ(count(asks, side, turn), 32);
  }
  // Between two turns of a side lies at most one round: they are neighbours in time.
  std::array<std::int64_t, 2> had{0, 0};
  for (const auto& ask : asks) {
    if (ask.line != turn) continue;
    ++had[ask.side];
    EXPECT_LE(std::abs(had[0] - had[1]), 1);
  }
}

TEST(TurnPlan, WhoComesFirstIsACoin) {
  std::map<std::size_t, int> first;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    TurnPlan plan({{"a"}}, seed);
    ++first[plan.next()->side];
  }
  EXPECT_GT(first[0], 70);
  EXPECT_GT(first[1], 70);
}

TEST(TurnPlan, ContinuesUntilBothFloorsAreSettled) {
  TurnPlan plan({{"a"}}, 1);
  Sides sides;
  sides.near_floor_per_turn = {6, 0};
  EXPECT_EQ(count(all_of(plan, sides), 0, turn), 24) << "side 1 never had a free moment: until the most turns";
  TurnPlan settled({{"a"}}, 1);
  sides.near_floor_per_turn = {6, 1};
  EXPECT_EQ(count(all_of(settled, sides), 1, turn), 16);
}

TEST(TurnPlan, LongCallsAreBoundedByTheBudget) {
  TurnPlan plan({{"a"}}, 1);
  Sides sides;
  sides.turn_ns = {1'000 * ms, 1'000 * ms};
  const auto asks = all_of(plan, sides);
  EXPECT_EQ(count(asks, 0, turn), 5);
  EXPECT_EQ(count(asks, 1, turn), 5) << "the round in which the budget ends is completed";
}

TEST(TurnPlan, ACaseOfOneSideTakesTurnsAlone) {
  TurnPlan plan({{"a", {true, false}}}, 1);
  Sides sides;
  const auto asks = all_of(plan, sides);
  EXPECT_EQ(count(asks, 0, turn), 16);
  for (const auto& ask : asks) EXPECT_EQ(ask.side, 0U);
}

TEST(TurnPlan, ACaseThatIsDoneAtOnceGetsNoTurn) {
  TurnPlan plan({{"a"}, {"b", {false, true}}}, 1);
  std::vector<std::string> said;
  while (const auto ask = plan.next()) {
    said.push_back(std::to_string(ask->side) + " " + ask->line);
    ASSERT_TRUE(plan.answered("done"));  // failed, skipped, or measured in one piece
  }
  std::sort(said.begin(), said.end());
  EXPECT_EQ(said, (std::vector<std::string>{"0 case a", "1 case a", "1 case b"}));
}

TEST(TurnPlan, ASideWhoseCaseFailsInATurnLeavesTheOtherAlone) {
  TurnPlan plan({{"a"}}, 1);
  Sides sides;
  std::int64_t turns_of_1 = 0;
  while (const auto ask = plan.next()) {
    if (ask->side == 1 && ask->line == turn && ++turns_of_1 == 3) {
      ASSERT_TRUE(plan.answered("done"));
      continue;
    }
    ASSERT_TRUE(plan.answered(sides.answer(*ask)));
  }
  EXPECT_EQ(turns_of_1, 3);
  EXPECT_EQ(sides.turns[0], 16);
}

// There is not enough memory on their device for both at once.
TEST(TurnPlan, ASideThatAsksForItHasItsCaseWhenTheOtherIsDone) {
  TurnPlan plan({{"a"}, {"b"}}, 1);
  Sides sides;
  std::vector<std::string> said;
  std::int64_t refusals = 0;
  while (const auto ask = plan.next()) {
    if (said.empty() || said.back() != std::to_string(ask->side) + " " + ask->line)
      said.push_back(std::to_string(ask->side) + " " + ask->line);
    const bool refuses = ask->side == 1 && ask->line == "case a" && refusals++ == 0;
    ASSERT_TRUE(plan.answered(refuses ? "later" : sides.answer(*ask)));
  }
  const auto place = [&](const std::string& what) { return std::find(said.begin(), said.end(), what) - said.begin(); };
  const std::vector<std::string> alone{"0 " + turn, "0 end", "1 case a", "1 " + turn, "1 end"};
  EXPECT_NE(std::search(said.begin(), said.end(), alone.begin(), alone.end()), said.end());
  EXPECT_LT(place("1 end"), place("0 case b")) << "complete before the next case";
  EXPECT_EQ(refusals, 2);
}

TEST(TurnPlan, SidesThatBothAskForItHaveItOneAfterTheOther) {
  TurnPlan plan({{"a"}}, 1);
  Sides sides;
  std::set<std::size_t> refused;
  std::vector<std::string> cases_and_ends;
  while (const auto ask = plan.next()) {
    const bool refuses = ask->line == "case a" && refused.insert(ask->side).second;
    if (!refuses && ask->line != turn) cases_and_ends.push_back(std::to_string(ask->side) + " " + ask->line);
    ASSERT_TRUE(plan.answered(refuses ? "later" : sides.answer(*ask)));
  }
  EXPECT_EQ(cases_and_ends, (std::vector<std::string>{"0 case a", "0 end", "1 case a", "1 end"}));
}

TEST(TurnPlan, ATurnOrTheEndMayFindThatMemoryIsMissing) {
  for (const std::string& at : {turn, std::string("end")}) {
    TurnPlan plan({{"a"}}, 1);
    Sides sides;
    std::int64_t refusals = 0;
    std::int64_t times_asked = 0;
    while (const auto ask = plan.next()) {
      times_asked += ask->side == 1 && ask->line == "case a" ? 1 : 0;
      const bool refuses = ask->side == 1 && ask->line == at && refusals++ == 0;
      ASSERT_TRUE(plan.answered(refuses ? "later" : sides.answer(*ask))) << at;
    }
    EXPECT_EQ(times_asked, 2) << at;
  }
}

TEST(TurnPlan, ACaseIsAskedForOnlyOnceMore) {
  TurnPlan plan({{"a", {false, true}}}, 1);
  plan.next();
  ASSERT_TRUE(plan.answered("later"));
  const auto again = plan.next();
  ASSERT_TRUE(again);
  EXPECT_EQ(again->line, "case a");
  EXPECT_FALSE(plan.answered("later")) << "a suite that never measures would not end";
}

TEST(TurnPlan, RefusesInvalidAnswers) {
  const auto refused = [](std::size_t asks_before, const std::string& line) -> std::string {
    TurnPlan plan({{"a"}}, 1);
    Sides sides;
    for (std::size_t i = 0; i < asks_before; ++i) EXPECT_TRUE(plan.answered(sides.answer(*plan.next())));
    plan.next();
    const auto answered = plan.answered(line);
    return answered ? "" : answered.error().message;
  };
  for (const char* line : {"ready", "ready 1", "ready 1 2 3", "ready -1 2", "ready 1 x", "took 1 2 3", "", "Done",
                           "ready 1 99999999999999999999"})
    EXPECT_NE(refused(0, line), "") << line;
  for (const char* line : {"took 0 0 5", "took 1 1", "took 1 1 -5", "took 1 1 1 1", "ready 1 2", "took 1,1,1"})
    EXPECT_NE(refused(2, line), "") << line;
  EXPECT_EQ(
      refused(2, "took forty-two 1 1"),
      "answered \"took forty-two 1 1\" when taking turns, where \"took SAMPLES NEAR_FLOOR SPENT_NS\" or \"done\" was "
      "expected");
  EXPECT_LT(refused(0, std::string(10'000, 'x')).size(), 300U);
  EXPECT_NE(refused(2, "ready 1 2").find("a child after fork() must end with _exit() or exec"), std::string::npos);
  EXPECT_EQ(refused(2, "took 0 0 5").find("fork"), std::string::npos);
}

TEST(TurnPlan, SaysWhereItIs) {
  TurnPlan plan({{"g/a"}}, 1);
  Sides sides;
  EXPECT_EQ(plan.place(), "");
  EXPECT_TRUE(plan.next());
  EXPECT_EQ(plan.place(), "in g/a");
  EXPECT_TRUE(plan.answered("ready 1 1000000000"));
  EXPECT_TRUE(plan.answered(sides.answer(*plan.next())));
  for (int asks = 0; asks < 9; ++asks) EXPECT_TRUE(plan.answered(sides.answer(*plan.next())));
  plan.next();
  EXPECT_EQ(plan.place(), "in turn 5 of g/a");
}

}  // namespace
}  // namespace torchgate::launch
