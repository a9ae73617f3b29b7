// SPDX-License-Identifier: Apache-2.0
#include "stats/level_interval.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace torchgate::stats {
namespace {

// R: t.test(extra ~ group, data = sleep), 95 percent confidence interval: -3.3654832 0.2054832
constexpr double sleep_half_width = (0.2054832 + 3.3654832) / 2;
const double of_a_median = std::sqrt(std::numbers::pi / 2);

/// Student's sleep data, both groups one after the other: a level change at the eleventh value.
std::vector<double> sleep_data() {
  return {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0, 1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};
}

ChangePoints change_of_sleep() {
  ChangePoints found;
  found.searched = true;
  found.points = {{10, 0.35, 1.75, 0.001}};  // the medians of both groups
  return found;
}

TEST(LevelInterval, IsThatOfWelchAroundTheDifferenceOfTheMedians) {
  const auto interval = level_interval(sleep_data(), change_of_sleep(), 0, 0.95);
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->low, 1.4 - sleep_half_width * of_a_median, 1e-6);
  EXPECT_NEAR(interval->high, 1.4 + sleep_half_width * of_a_median, 1e-6);
  EXPECT_EQ(interval->level, 0.95);
}

TEST(LevelInterval, IsWiderWhereRunsAreCorrelated) {
  ChangePoints found = change_of_sleep();
  found.autocorrelation = 0.6;  // (1 + phi) / (1 - phi) = 4
  const auto interval = level_interval(sleep_data(), found, 0, 0.95);
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->high - interval->low, 4 * sleep_half_width * of_a_median, 1e-5);
}

TEST(LevelInterval, EndsAtTheNeighbouringChangesAndLeavesOutOutliers) {
  std::vector<double> values(12, 100.0);  // another level before
  for (const double value : sleep_data()) values.push_back(value);
  values.insert(values.begin() + 14, 1e6);
  values.insert(values.end(), 9, -50.0);  // and another one after
  ChangePoints found;
  found.points = {{12, 100, 0.35, 0.001}, {23, 0.35, 1.75, 0.001}, {33, 1.75, -50, 0.001}};
  found.outliers = {14};
  const auto interval = level_interval(values, found, 1, 0.95);
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->low, 1.4 - sleep_half_width * of_a_median, 1e-6);
}

TEST(LevelInterval, OfLevelsWithoutNoiseIsAPoint) {
  std::vector<double> values(8, 1.0);
  values.insert(values.end(), 8, 2.0);
  ChangePoints found;
  found.points = {{8, 1, 2, 0.0001}};
  const auto interval = level_interval(values, found, 0, 0.99);
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->low, 1.0);
  EXPECT_EQ(interval->high, 1.0);
}

TEST(LevelInterval, IsAbsentWhereItIsNotKnown) {
  const auto values = sleep_data();
  EXPECT_FALSE(level_interval(values, change_of_sleep(), 1, 0.95));
  EXPECT_FALSE(level_interval(values, change_of_sleep(), 0, 1));
  EXPECT_FALSE(level_interval(values, ChangePoints{}, 0, 0.95));
  ChangePoints found = change_of_sleep();
  found.points[0].index = 1;  // one value before
  EXPECT_FALSE(level_interval(values, found, 0, 0.95));
  found.points[0].index = 21;
  EXPECT_FALSE(level_interval(values, found, 0, 0.95));
}

}  // namespace
}  // namespace torchgate::stats
