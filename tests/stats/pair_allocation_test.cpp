// SPDX-License-Identifier: Apache-2.0
#include "stats/pair_allocation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace torchgate::stats {
namespace {

InterleavedOptions open_case_options(std::size_t family = 20) {
  InterleavedOptions options;
  options.family = family;
  options.alpha_share = 0.5;
  options.no_harm_level = 0.98;
  options.equivalence_stop_level = 0.98;
  return options;
}

std::vector<double> drawn_pairs(std::mt19937_64& random, double mean, double sd) {
  std::normal_distribution<double> noise(mean, sd);
  std::vector<double> pairs(48);
  std::generate(pairs.begin(), pairs.end(), [&] { return noise(random); });
  return pairs;
}

// The median of what judge_interleaved takes on drawn pairs is what the forecast says before the first pair.
TEST(PairForecast, AgreesWithJudgedPairs) {
  constexpr int sequences = 401;
  const InterleavedOptions options = open_case_options();
  const PairForecast forecast(options);
  std::mt19937_64 random(7);
  for (const auto& [mean, sd] : {std::pair{0.0, 0.01}, {0.0, 0.05}, {0.0, 0.08}, {0.06, 0.02}, {0.1, 0.05}}) {
    std::vector<std::size_t> taken;
    for (int i = 0; i < sequences; ++i)
      taken.push_back(judge_interleaved(drawn_pairs(random, mean, sd), options).pairs);
    std::nth_element(taken.begin(), taken.begin() + sequences / 2, taken.end());
    const auto expected = static_cast<double>(taken[sequences / 2]);
    const auto more = forecast.more_pairs(0, mean, sd);
    ASSERT_TRUE(more) << mean << " " << sd;
    EXPECT_NEAR(static_cast<double>(*more), expected, 0.25 * expected + 1) << mean << " " << sd;
  }
}

TEST(PairForecast, HasNoneForWhatTheLastPairLeavesOpen) {
  const PairForecast forecast(open_case_options());
  EXPECT_FALSE(forecast.more_pairs(0, 0.0, 0.5));
  EXPECT_FALSE(forecast.more_pairs(30, 0.02, 0.2));
  EXPECT_TRUE(forecast.more_pairs(30, 0.0, 0.02));
}

// Without an equivalence stop, as of suspects: the no-harm stop, whose interval has to exclude 2 %.
TEST(PairForecast, KnowsTheNoHarmStop) {
  InterleavedOptions options = open_case_options(3);
  options.equivalence_stop_level = 0.0;
  const PairForecast forecast(options);
  std::mt19937_64 random(5);
  std::vector<std::size_t> taken;
  for (int i = 0; i < 401; ++i) taken.push_back(judge_interleaved(drawn_pairs(random, 0.0, 0.02), options).pairs);
  std::nth_element(taken.begin(), taken.begin() + 200, taken.end());
  const auto more = forecast.more_pairs(0, 0.0, 0.02);
  ASSERT_TRUE(more);
  EXPECT_NEAR(static_cast<double>(*more), static_cast<double>(taken[200]), 0.3 * static_cast<double>(taken[200]) + 1);
  EXPECT_FALSE(forecast.more_pairs(20, 0.0, 0.2));
}

TEST(PairForecast, CountsWhatWasMeasured) {
  const PairForecast forecast(open_case_options());
  EXPECT_EQ(forecast.more_pairs(0, 0.0, 0.0), 6U);
  EXPECT_EQ(forecast.more_pairs(5, 0.0, 0.0), 1U);
  EXPECT_EQ(forecast.more_pairs(6, 0.0, 0.0), 1U);  // a case that is still open takes one at least
}

TEST(PooledPairSd, WeighsTheEstimateFromBefore) {
  EXPECT_EQ(pooled_pair_sd({}, 0.03, 8), 0.03);
  EXPECT_FALSE(pooled_pair_sd({}, 0.03, 0));
  const std::vector<double> pairs{-0.01, 0.01, -0.01, 0.01};  // variance 4/3 e-4 with 3 degrees of freedom
  EXPECT_NEAR(*pooled_pair_sd(pairs, 0.03, 0), 0.01 * std::sqrt(4.0 / 3.0), 1e-15);
  EXPECT_NEAR(*pooled_pair_sd(pairs, 0.03, 8), std::sqrt((8 * 9e-4 + 4e-4) / 11), 1e-15);
}

TEST(NextPairs, TakesTheGroupsThatDecideMostForTheirTime) {
  const std::vector<PairGroup> groups{{{6}, 1.0}, {{6, 6, 6}, 1.0}, {{40}, 1.0}, {{6}, 10.0}};
  EXPECT_EQ(next_pairs(groups, 6.0), (std::vector<std::size_t>{1}));
  EXPECT_EQ(next_pairs(groups, 12.0), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(next_pairs(groups, 1000.0), (std::vector<std::size_t>{0, 1, 2, 3}));
}

TEST(NextPairs, LeavesOutWhatCannotBeDecided) {
  const std::vector<PairGroup> groups{{{}, 1.0}, {{9}, 1.0}};
  EXPECT_EQ(next_pairs(groups, 1000.0), (std::vector<std::size_t>{1}));
  EXPECT_TRUE(next_pairs(std::vector<PairGroup>{{{}, 1.0}}, 1000.0).empty());
}

TEST(NextPairs, UsesTheRestForThePairThatIsNearest) {
  const std::vector<PairGroup> groups{{{6}, 1.0}, {{5}, 1.0}};
  EXPECT_EQ(next_pairs(groups, 2.0), (std::vector<std::size_t>{1}));
  EXPECT_TRUE(next_pairs(groups, 0.5).empty());
}

TEST(NextPairs, AnUndecidableCaseDoesNotHideTheOthersOfItsGroup) {
  const std::vector<PairGroup> groups{{{6, 6, 48}, 1.0}};
  EXPECT_EQ(next_pairs(groups, 6.0), (std::vector<std::size_t>{0}));
}

// No other subset of the groups that fits decides more cases, but for one that did not fit any more (the greedy order's loss).
TEST(NextPairs, DecidesAsManyAsTheBestSubset) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 300; ++round) {
    std::vector<PairGroup> groups(7);
    for (PairGroup& group : groups)
      group = {{1 + static_cast<std::size_t>(random() % 20)}, 1.0 + static_cast<double>(random() % 3)};
    const double seconds = 1.0 + static_cast<double>(random() % 100);
    const auto cost = [&](std::size_t i) {
      return static_cast<double>(groups[i].more_pairs[0]) * groups[i].seconds_per_pair;
    };
    std::size_t best = 0;
    for (unsigned subset = 0; subset < 128; ++subset) {
      double sum = 0;
      std::size_t count = 0;
      for (std::size_t i = 0; i < 7; ++i) {
        if ((subset >> i & 1U) == 0) continue;
        sum += cost(i);
        ++count;
      }
      if (sum <= seconds) best = std::max(best, count);
    }
    std::size_t decided = 0;
    double spent = 0;
    for (const std::size_t i : next_pairs(groups, seconds)) {
      spent += cost(i);
      if (spent <= seconds) ++decided;
    }
    EXPECT_EQ(decided, best) << round;
  }
}

}  // namespace
}  // namespace torchgate::stats
