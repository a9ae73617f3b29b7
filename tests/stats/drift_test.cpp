// SPDX-License-Identifier: Apache-2.0
#include "stats/drift.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace torchgate::stats {
namespace {

TEST(Drift, IsTheMedianOfWhatTheControlsMoved) {
  // Stored medians 1, 2, 3; the fourth run is the one to judge. Worked by hand.
  const std::vector<RunSeries> controls{{0.9, 1.0, 1.1, 1.3}, {2.0, 2.0, 2.2, 2.1}, {2.8, 3.0, 3.3, 3.2}};
  const auto shifts = drift_of_controls(controls);
  ASSERT_TRUE(shifts);
  ASSERT_EQ(shifts->size(), 4U);
  EXPECT_NEAR((*shifts)[0], -0.1, 1e-12);
  EXPECT_NEAR((*shifts)[1], 0.0, 1e-12);
  EXPECT_NEAR((*shifts)[2], 0.2, 1e-12);
  EXPECT_NEAR((*shifts)[3], 0.2, 1e-12);
}

TEST(Drift, OneDisturbedControlOfThreeMovesNothing) {
  const std::vector<RunSeries> controls{{1, 1, 1}, {2, 2, 2}, {3, 3, 9}};
  const auto shifts = drift_of_controls(controls);
  ASSERT_TRUE(shifts);
  EXPECT_DOUBLE_EQ(shifts->back(), 0.0);
}

TEST(Drift, NeedsThreeControlsWithEveryRun) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(drift_of_controls({}));
  EXPECT_FALSE(drift_of_controls(std::vector<RunSeries>{{1, 1}, {2, 2}}));
  EXPECT_FALSE(drift_of_controls(std::vector<RunSeries>{{1, 1, 1}, {2, 2, 2}, {3, 3}}));
  EXPECT_FALSE(drift_of_controls(std::vector<RunSeries>{{1, 1}, {2, 2}, {3, nan}}));
  EXPECT_FALSE(drift_of_controls(std::vector<RunSeries>{{1}, {2}, {3}}));
}

}  // namespace
}  // namespace torchgate::stats
