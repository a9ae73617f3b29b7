// SPDX-License-Identifier: Apache-2.0
#include "stats/same_level.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace torchgate::stats {
namespace {

using RunValues = std::vector<std::optional<double>>;
using Same = std::vector<bool>;

constexpr double floor_5_percent = 0.04879016416943205;  // log(1.05)

// Of a new run like the newest stored one.
Same same_level(const RunValues& values, double floor) {
  const auto newest = std::find_if(values.begin(), values.end(), [](const auto& value) { return value.has_value(); });
  return stats::same_level(values, floor, newest == values.end() ? std::nullopt : *newest);
}

RunValues log_runs(const std::vector<double>& times) {
  RunValues values;
  for (const double time : times) values.emplace_back(std::log(time));
  return values;
}

// A slow-down was merged and repaired; the newest run is first.
TEST(SameLevel, RunsOfAnotherLevelAreLeftOut) {
  EXPECT_EQ(same_level(log_runs({1000, 1001, 1300, 1302, 999, 1000}), floor_5_percent),
            (Same{true, true, false, false, true, true}));
  EXPECT_EQ(same_level(log_runs({1000, 1300, 1300, 1000, 1000}), floor_5_percent),
            (Same{true, false, false, true, true}));
  EXPECT_EQ(same_level(log_runs({1300, 1000, 1001, 999, 1000, 1002}), floor_5_percent),
            (Same{true, false, false, false, false, false}));
  EXPECT_EQ(same_level(log_runs({1000, 1300, 1000}), floor_5_percent), (Same{true, false, true}));
}

TEST(SameLevel, SmallChangesAndNoiseArePooled) {
  EXPECT_EQ(same_level(log_runs({1000, 1030, 990, 1020}), floor_5_percent), Same(4, true));
  EXPECT_EQ(same_level(log_runs({1000, 1200, 900, 1150, 950, 1250}), floor_5_percent), Same(6, true))
      << "a noisy machine";
}

// Two modes of the machine are not two levels: the runs of the one would be judged by the spread of the other's alone.
TEST(SameLevel, TwoStatesInTurnsAreNoise) {
  EXPECT_EQ(same_level(log_runs({1000, 1150, 1000, 1150, 1000, 1150, 1000, 1150, 1000, 1150, 1000}), floor_5_percent),
            Same(11, true));
  EXPECT_EQ(same_level(log_runs({1150, 1000, 1150, 1000, 1150}), floor_5_percent), Same(5, true));
  EXPECT_EQ(same_level(log_runs({1000, 1150, 1151, 1001, 999, 1149, 1000, 1150, 1152, 998}), floor_5_percent),
            Same(10, true))
      << "most steps are as large as the distance of the states";
  EXPECT_EQ(same_level(log_runs({1000, 1001, 999, 1060, 1000, 1001, 1000, 1061, 1000, 1001, 999}), floor_5_percent),
            Same(11, true))
      << "most steps are within a state";
  EXPECT_EQ(same_level(log_runs({15, 15, 16, 15, 15, 16, 15}), floor_5_percent), Same(7, true))
      << "a clock that counts nanoseconds";
}

Same same_level_for(double current, const std::vector<double>& times) {
  return stats::same_level(log_runs(times), floor_5_percent, std::log(current));
}

// Two disturbed runs of ten are not the noise of a run that is like none of them.
TEST(SameLevel, ARunInNeitherStateIsComparedWithTheNewestOne) {
  const std::vector<double> disturbed{1000, 1001, 1500, 999, 1000, 1001, 1501, 1000, 999, 1000};
  const Same without{true, true, false, true, true, true, false, true, true, true};
  EXPECT_EQ(same_level_for(1170, disturbed), without);
  EXPECT_EQ(same_level_for(2000, disturbed), without);
  EXPECT_EQ(same_level_for(1500, disturbed), Same(10, true)) << "it may be one of them";
  EXPECT_EQ(same_level_for(1020, disturbed), Same(10, true));
  EXPECT_EQ(stats::same_level(log_runs(disturbed), floor_5_percent, std::nullopt), without) << "nothing is compared";
}

// Behind the states 1000 and 1060, three runs of a level that was repaired.
TEST(SameLevel, AnOlderLevelTakesNoPartInTheTurns) {
  const std::vector<double> stored{1000, 1060, 1001, 1061, 1059, 1060, 1500, 1501, 1502};
  const Same states{true, true, true, true, true, true, false, false, false};
  EXPECT_EQ(same_level_for(1060, stored), states);
  EXPECT_EQ(same_level_for(1000, stored), states);
  EXPECT_EQ(same_level_for(1500, stored), (Same{true, false, true, false, false, false, false, false, false}))
      << "as slow as before the repair";
}

// Each step is below the floor; undoing both would be a slow-down of 8.5 % from the newest run.
TEST(SameLevel, TwoSmallImprovementsAreAnotherLevel) {
  EXPECT_EQ(same_level(log_runs({921.6, 960, 1000, 1003, 998, 1001, 1000, 997, 1002}), floor_5_percent),
            (Same{true, true, false, false, false, false, false, false, false}));
}

// The steps of a steady trend are not its noise: all six spanned 20 %.
TEST(SameLevel, ATrendIsNotNoise) {
  EXPECT_EQ(same_level(log_runs({1000, 1040, 1080, 1120, 1160, 1200}), floor_5_percent),
            (Same{true, false, false, false, false, false}));
  EXPECT_EQ(same_level(log_runs({1200, 1160, 1120, 1080, 1040, 1000}), floor_5_percent),
            (Same{true, false, false, false, false, false}));
  EXPECT_EQ(same_level(log_runs({1000, 1030, 1061, 1092, 1126}), floor_5_percent),
            (Same{true, true, false, false, false}))
      << "too few for a test: what is farther than the gate";
}

// One improvement of 4 %, less than the gate.
TEST(SameLevel, AStepBelowTheGateIsAnotherLevel) {
  EXPECT_EQ(same_level(log_runs({960, 961, 958, 962, 960, 1000, 1003, 998, 1001, 1000, 997}), floor_5_percent),
            (Same{true, true, true, true, true, false, false, false, false, false, false}));
  EXPECT_EQ(same_level(log_runs({960, 961, 1000, 1003, 998, 1001, 1000, 997}), floor_5_percent),
            (Same{true, true, false, false, false, false, false, false}));
  EXPECT_EQ(same_level(log_runs({985, 986, 983, 987, 985, 1000, 1003, 998, 1001, 1000, 997}), floor_5_percent),
            Same(11, true))
      << "1.5 %";
}

TEST(SameLevel, TwoValuesTellNothing) {
  EXPECT_EQ(same_level(log_runs({1300, 1000}), floor_5_percent), Same(2, true));
  EXPECT_EQ(same_level({}, floor_5_percent), Same{});
  EXPECT_EQ(same_level(RunValues{std::nullopt}, floor_5_percent), Same{true});
}

TEST(SameLevel, ARunWithoutAValueIsPassedOver) {
  RunValues values = log_runs({1000, 1300, 1000, 1001, 1002, 1000});
  values[0] = std::nullopt;
  EXPECT_EQ(same_level(values, floor_5_percent), (Same{true, true, false, false, false, false}))
      << "the first known value is the level";
}

// Oracle by simulation: normal noise of 3 % between runs, no level change; how often a pool of eleven loses a run.
TEST(SameLevel, NoiseAloneSeldomCostsARun) {
  std::mt19937_64 random(20261125);
  std::normal_distribution<double> noise(0, 0.03);
  int lost = 0;
  constexpr int series = 20000;
  for (int i = 0; i < series; ++i) {
    RunValues values;
    for (int run = 0; run < 11; ++run) values.emplace_back(noise(random));
    for (const bool kept : same_level(values, floor_5_percent)) lost += kept ? 0 : 1;
  }
  EXPECT_LT(lost, series * 10 * 2 / 100) << "of 200,000 earlier runs less than 2 %";
}

// Exact: among the 4096 series of twelve runs in two states 2 (C(11, 1) + C(11, 2)) change once or twice, 3.2 %; the tests of newest_level() find
// steps in a few more.
TEST(SameLevel, TwoStatesSeldomLookLikeTwoLevels) {
  constexpr unsigned runs = 12;
  unsigned split = 0;
  for (unsigned states = 0; states < 1U << runs; ++states) {
    RunValues values;
    for (unsigned run = 0; run < runs; ++run)
      values.emplace_back(((states >> run & 1U) != 0 ? 0.15 : 0.0) + 0.0001 * static_cast<double>(run * run % 7));
    const Same same = same_level(values, floor_5_percent);
    if (same != Same(runs, true)) ++split;
  }
  EXPECT_LT(split, (1U << runs) * 5 / 100);
}

}  // namespace
}  // namespace torchgate::stats
