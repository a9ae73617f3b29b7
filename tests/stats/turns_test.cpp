// SPDX-License-Identifier: Apache-2.0
#include "stats/turns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace torchgate::stats {
namespace {

using Times = std::vector<double>;

constexpr double no_time = std::numeric_limits<double>::quiet_NaN();

Times drawn_times(std::mt19937_64& random, std::size_t n) {
  std::lognormal_distribution<double> times(5.0, 0.4);
  Times values(n);
  std::generate(values.begin(), values.end(), [&] { return times(random); });
  return values;
}

TEST(Turns, TheFloorIsTheOnePercentQuantile) {
  Times samples;
  for (int i = 0; i <= 200; ++i) samples.push_back(100.0 + i);  // the 1 % quantile of 201 values is the third
  EXPECT_DOUBLE_EQ(*floor_of(samples), 102.0);
  EXPECT_DOUBLE_EQ(*floor_of(samples, Better::higher), 298.0);
  EXPECT_DOUBLE_EQ(*floor_of(Times{7.0}), 7.0);
  EXPECT_DOUBLE_EQ(*floor_of(Times{10.0, 20.0}), 10.1);
}

// One sample that a clock made ten times too fast, of five hundred: the minimum follows it, the floor does not.
TEST(Turns, TheFloorDoesNotRestOnOneSampleOfMany) {
  std::mt19937_64 random(3);
  Times samples = drawn_times(random, 500);
  const double before = *floor_of(samples);
  samples[250] = 1.0;
  EXPECT_NEAR(*floor_of(samples), before, 0.05 * before);
}

TEST(Turns, TheMeanOfATurnIsHarmonic) {
  EXPECT_DOUBLE_EQ(*turn_mean(Times{1.0, 1.0, 0.5}), 0.75);
  EXPECT_DOUBLE_EQ(*turn_mean(Times{2.0, 4.0}, Better::higher), 3.0);
  // A preempted sample of a hundred times its time moves the mean of twenty by 5 %, where the arithmetic one grows sixfold.
  Times turn(20, 10.0);
  turn[7] = 1000.0;
  EXPECT_NEAR(*turn_mean(turn), 10.0 * 20.0 / 19.01, 1e-12);
  // A call that is 30 % slower every third time is seen.
  EXPECT_NEAR(*turn_mean(Times{10.0, 10.0, 13.0, 10.0, 10.0, 13.0}), 10.0 * 6.0 / (4.0 + 2.0 / 1.3), 1e-12);
}

// exp of the mean of logarithms lies above it, 1 / mean(1 / x) is what it is: by another sum.
TEST(Turns, TheMeanAgreesWithASumInLongDouble) {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 50; ++trial) {
    const Times samples = drawn_times(random, 1 + static_cast<std::size_t>(trial));
    long double rates = 0.0L;
    for (const double sample : samples) rates += 1.0L / static_cast<long double>(sample);
    const auto expected = static_cast<double>(static_cast<long double>(samples.size()) / rates);
    EXPECT_NEAR(*turn_mean(samples), expected, 1e-13 * expected);
  }
}

TEST(Turns, TheTypicalChangeIsTheMedianOfTheirRatios) {
  EXPECT_NEAR(*typical_change(Times{10.0, 20.0, 40.0}, Times{11.0, 24.0, 40.0}), std::log(1.1), 1e-14);
  EXPECT_NEAR(*typical_change(Times{10.0, 10.0}, Times{11.0, 12.0}), 0.5 * std::log(1.1 * 1.2), 1e-14);
}

// Both sides wait for a neighbour that stretches their turns by the same share: the change between them stays.
TEST(Turns, TheTypicalChangeIsUnmovedByWhatBothTurnsMeet) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> load(1.0, 1.9);
  Times before = drawn_times(random, 31);
  Times after = before;
  for (std::size_t turn = 0; turn < before.size(); ++turn) {
    const double met = load(random);
    before[turn] *= met;
    after[turn] *= 1.04 * met;
  }
  EXPECT_NEAR(*typical_change(before, after), std::log(1.04), 1e-12);
  EXPECT_NEAR(*typical_change(after, before), -std::log(1.04), 1e-12);
}

TEST(Turns, HaveNoNumberWhereThereIsNone) {
  EXPECT_FALSE(floor_of(Times{}));
  EXPECT_FALSE(floor_of(Times{1.0, no_time}));
  EXPECT_FALSE(turn_mean(Times{}));
  EXPECT_FALSE(turn_mean(Times{1.0, 0.0}));
  EXPECT_FALSE(turn_mean(Times{1.0, -1.0}));
  EXPECT_FALSE(turn_mean(Times{no_time}));
  EXPECT_FALSE(turn_mean(Times{5e-324}));  // its rate is not finite
  EXPECT_FALSE(typical_change(Times{}, Times{}));
  EXPECT_FALSE(typical_change(Times{1.0}, Times{1.0, 2.0}));
  EXPECT_FALSE(typical_change(Times{1.0, 0.0}, Times{1.0, 2.0}));
  EXPECT_FALSE(typical_change(Times{1.0}, Times{std::numeric_limits<double>::infinity()}));
}

}  // namespace
}  // namespace torchgate::stats
