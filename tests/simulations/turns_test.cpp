// SPDX-License-Identifier: Apache-2.0
// The two-state machine is as noisy as the one that was recorded, and what the judgement of its pairs has to see and must not see.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/quantile.hpp"
#include "stats/two_series.hpp"
#include "tests/simulations/turn_noise.hpp"
#include "tests/simulations/turn_study.hpp"

namespace torchgate::simulations {
namespace {

TurnMachine two_state_machine() {
  return turn_machines().back();
}

double robust_sd_about_zero(std::vector<double> values) {
  for (double& value : values) value = std::abs(value);
  return stats::normal_per_mad * *stats::median(values);
}

double sd_about_zero(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value * value;
  return std::sqrt(sum / static_cast<double>(values.size()));
}

// Of the recordings (stats/README.md, "Pairs that took turns"): medians one after the other 17 to 25 % (MAD 12 to 20 %), floors in turns 2
// to 5 % (0.7 to 2.4 %), typical changes 4 to 8 % (2 to 3 %).
TEST(TwoStateMachine, IsAsNoisyAsTheRecordedOne) {
  ASSERT_EQ(two_state_machine().name, "two-state");
  std::vector<double> medians;
  std::vector<double> floors;
  std::vector<double> typical;
  for (std::uint64_t which = 0; which < 60; ++which) {
    PairSource source(two_state_machine(), Random({11, which}), PairSource::never, recorded_limits());
    for (int pair = 0; pair < 20; ++pair) {
      const TurnNumbers numbers = source.draw_in_turns();
      medians.push_back(source.draw_medians());
      floors.push_back(numbers.floor);
      typical.push_back(numbers.typical);
    }
  }
  EXPECT_NEAR(sd_about_zero(medians), 0.21, 0.05);
  EXPECT_NEAR(robust_sd_about_zero(medians), 0.16, 0.05);
  EXPECT_NEAR(sd_about_zero(floors), 0.035, 0.015);
  EXPECT_NEAR(robust_sd_about_zero(floors), 0.01, 0.004);
  EXPECT_NEAR(sd_about_zero(typical), 0.065, 0.025);
}

TEST(PairsInTurns, FindASlowEveryThirdCallAndTenPercent) {
  PairDesign design = pair_designs()[1];
  const auto rates = study_turns(two_state_machine(), design, 48, 5);
  const TurnRates& medians = rates.at(0);
  const TurnRates& turns = rates.at(1);
  EXPECT_EQ(turns.requests_alarmed, 0U);
  EXPECT_GE(turns.of(Change::slower_10).regressed, 58U);  // of 60
  EXPECT_GE(turns.of(Change::slower_5).regressed, 54U);
  EXPECT_GE(turns.of(Change::slow_calls).regressed, 52U);
  EXPECT_EQ(turns.of(Change::slower_10).equivalent, 0U);
  EXPECT_GE(turns.of(Change::none).equivalent, 57U);
  EXPECT_LE(medians.of(Change::slower_10).regressed, 30U) << "of processes one after the other";
  EXPECT_LE(medians.of(Change::none).equivalent, 10U);
}

// A busy loop begins on the machine while pairs are measured, between two of them or before the first: it slows both sides.
TEST(PairsInTurns, ABusyLoopInTheMiddleIsNotARegression) {
  stats::InterleavedOptions options;
  options.family = 3;
  for (const TurnMachine& machine : turn_machines()) {
    std::size_t unchanged = 0;
    for (std::uint64_t which = 0; which < 40; ++which) {
      PairSource source(machine, Random({3, which}), which % 8);
      std::vector<double> floors;
      std::vector<double> typical;
      for (int pair = 0; pair < 48; ++pair) {
        const TurnNumbers numbers = source.draw_in_turns();
        floors.push_back(numbers.floor);
        typical.push_back(numbers.typical);
      }
      const auto judged = stats::judge_two_series(floors, typical, options);
      EXPECT_NE(judged.call, stats::Call::regressed) << machine.name << " " << which;
      unchanged += judged.call == stats::Call::equivalent ? 1U : 0U;
    }
    EXPECT_GE(unchanged, 36U) << machine.name;
  }
}

}  // namespace
}  // namespace torchgate::simulations
