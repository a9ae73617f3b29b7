// SPDX-License-Identifier: Apache-2.0
#include "stats/newest_level.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace torchgate::stats {
namespace {

constexpr double half_of_5_percent = 0.02439508208471603;  // log(1.05) / 2

// The newest first; LEVEL of how many runs ago.
template <class Level>
std::vector<double> runs(int count, double sd, const Level& level, std::mt19937_64& random) {
  std::normal_distribution<double> noise(0, sd);
  std::vector<double> values;
  for (int ago = 0; ago < count; ++ago) values.push_back(level(ago) + noise(random));
  return values;
}

struct Share {
  double all = 0;     // of 4,000 series: every run is on the level of the newest
  double newest = 0;  // as many as wanted, or one fewer or more
};

template <class Level>
Share share(double sd, std::size_t wanted, const Level& level) {
  std::mt19937_64 random(20261130);
  constexpr int series = 4000;
  Share found;
  for (int i = 0; i < series; ++i) {
    const std::size_t kept = newest_level(runs(11, sd, level, random), half_of_5_percent);
    found.all += kept == 11 ? 1.0 / series : 0;
    found.newest += kept + 1 >= wanted && kept <= wanted + 1 ? 1.0 / series : 0;
  }
  return found;
}

// Two tests at 0.5 %, and the gap that stands out.
TEST(NewestLevel, NoiseAloneIsOneLevel) {
  const auto flat = [](int) { return 0.0; };
  EXPECT_GT(share(0.003, 11, flat).all, 0.9999) << "smaller than half of the gate";
  EXPECT_GT(share(0.01, 11, flat).all, 0.98);
  EXPECT_GT(share(0.03, 11, flat).all, 0.97);
}

TEST(NewestLevel, ATrendIsFound) {
  for (const double sd : {0.003, 0.01})
    for (const double each : {0.01, 0.03, -0.02}) {
      const Share found = share(sd, 1, [=](int ago) { return each * ago; });
      EXPECT_GT(found.newest, each == 0.01 && sd == 0.01 ? 0.85 : 0.99) << sd << ' ' << each;
    }
}

TEST(NewestLevel, AStepIsFound) {
  const auto step = [](int newer) { return [=](int ago) { return ago < newer ? 0.0 : 0.04; }; };
  EXPECT_GT(share(0.003, 5, step(5)).newest, 0.99);
  EXPECT_GT(share(0.01, 5, step(5)).newest, 0.88);
  EXPECT_GT(share(0.003, 2, step(2)).newest, 0.99);
  EXPECT_GT(share(0.003, 3, step(3)).newest, 0.99);
}

TEST(NewestLevel, TheLastOfTwoStepsIsTheNewestLevel) {
  std::mt19937_64 random(1);
  const auto twice = [](int ago) { return ago < 6 ? 0.0 : ago < 13 ? 0.04 : 0.08; };
  EXPECT_EQ(newest_level(runs(20, 0.002, twice, random), half_of_5_percent), 6U);
}

TEST(NewestLevel, FewValuesAndEqualOnesAreOneLevel) {
  EXPECT_EQ(newest_level({}, half_of_5_percent), 0U);
  EXPECT_EQ(newest_level(std::vector{1.0, 1.1, 1.2, 1.3, 1.4}, half_of_5_percent), 5U);
  EXPECT_EQ(newest_level(std::vector(30, 2.0), half_of_5_percent), 30U);
  EXPECT_EQ(newest_level(std::vector(200, 2.0), half_of_5_percent), 200U);
}

TEST(NewestLevel, TheTypicalStepIsTheNoiseOfATrend) {
  EXPECT_EQ(typical_step(std::vector{1.0, 2.0}), 0);
  EXPECT_NEAR(typical_step(std::vector{0.0, 1.0, 2.0, 3.0, 4.0, 5.0}), 0, 1e-12);
  EXPECT_NEAR(typical_step(std::vector{0.0, 1.0, 0.0, 1.0, 0.0, 1.0}), 1, 1e-12) << "the median slope is 0";
  EXPECT_NEAR(typical_step(std::vector{-4.0, 0.0, 4.0, -4.0, 0.0, 4.0}), 3, 1e-12) << "most steps are alike";
  std::mt19937_64 random(2);
  const std::vector<double> noise = runs(
      4000, 0.01, [](int ago) { return 0.05 * ago; }, random);
  EXPECT_NEAR(typical_step(noise), 0.0095, 0.0006);
}

}  // namespace
}  // namespace torchgate::stats
