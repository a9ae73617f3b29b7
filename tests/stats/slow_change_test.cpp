// SPDX-License-Identifier: Apache-2.0
#include "stats/slow_change.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;

ChangePoints changes_at(std::initializer_list<std::size_t> places) {
  ChangePoints found;
  for (const std::size_t place : places) found.points.push_back({place, 0, 0, 0});
  return found;
}

// python3 -c "import numpy as np; v = [0, .02, .01, .05, .04, .07, .09, .08, .12, .11]; print(np.polyfit(range(10), v, 1)[0] * 9)"
TEST(SlowChange, IsThatAlongTheLineOfLeastSquares) {
  const Numbers values{0, 0.02, 0.01, 0.05, 0.04, 0.07, 0.09, 0.08, 0.12, 0.11};
  const auto slow = slow_change(values, changes_at({5}));
  ASSERT_TRUE(slow);
  EXPECT_NEAR(*slow, 0.11945454545454541, 1e-15);
  EXPECT_FALSE(slow_change(values, {})) << "no level change";
  EXPECT_FALSE(slow_change(values, changes_at({1, 2, 3, 4, 5, 6, 7, 8, 9}))) << "each value is a level";
}

TEST(SlowChange, IsNotAStep) {
  Numbers values(20, 0.0);
  for (std::size_t i = 10; i < values.size(); ++i) values[i] = 0.3;
  EXPECT_FALSE(slow_change(values, changes_at({10})));
}

struct Told {
  int changed = 0;
  int slow = 0;  // of those
};

// Histories of 40 runs with an SD of 1 %.
Told told(double (*level)(std::size_t run)) {
  std::mt19937_64 random(11);
  Told result;
  for (int series = 0; series < 200; ++series) {
    Numbers values;
    for (std::size_t run = 0; run < 40; ++run) {
      double noise = -6;  // about normal, and the same with every standard library
      for (int i = 0; i < 12; ++i) noise += static_cast<double>(random() >> 11) * 0x1p-53;
      values.push_back(level(run) + 0.01 * noise);
    }
    const ChangePoints found = find_change_points(values);
    result.changed += found.points.empty() ? 0 : 1;
    result.slow += slow_change(values, found) ? 1 : 0;
  }
  return result;
}

TEST(SlowChange, IsToldFromStepsInMadeHistories) {
  const Told rise = told([](std::size_t run) { return 0.005 * static_cast<double>(run); });
  EXPECT_GE(rise.changed, 190);
  EXPECT_GE(rise.slow, 0.9 * rise.changed);
  const Told fall = told([](std::size_t run) { return -0.01 * static_cast<double>(run); });
  EXPECT_GE(fall.slow, 0.9 * fall.changed);
  const Told step = told([](std::size_t run) { return run < 20 ? 0 : 0.07; });
  EXPECT_EQ(step.changed, 200);
  EXPECT_LE(step.slow, 2);
  const Told steps = told([](std::size_t run) { return 0.08 * static_cast<double>(run / 14); });
  EXPECT_EQ(steps.changed, 200);
  EXPECT_LE(steps.slow, 10);
}

}  // namespace
}  // namespace torchgate::stats
