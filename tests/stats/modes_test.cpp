// SPDX-License-Identifier: Apache-2.0
#include "stats/modes.hpp"

#include <algorithm>
#include <random>

#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;

std::optional<TwoModes> modes(const Numbers& samples, const ModesLimits& limits = {}) {
  Numbers sorted = samples;
  std::sort(sorted.begin(), sorted.end());
  return two_modes(samples, sorted, limits);
}

// n log times around `log 100 us`, of which every third is `distance` slower.
Numbers two_heaps(std::size_t n, double distance, double sd = 0.002) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  Numbers samples(n);
  for (std::size_t i = 0; i < n; ++i) samples[i] = 11.5 + sd * normal(random) + (i % 3 == 2 ? distance : 0);
  return samples;
}

TEST(TwoModes, FindsThePlacesAndSharesOfTheModes) {
  const auto found = modes(two_heaps(90, 0.05));
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->lower, 11.5, 0.001);
  EXPECT_NEAR(found->upper, 11.55, 0.001);
  EXPECT_DOUBLE_EQ(found->upper_share, 1.0 / 3);
}

TEST(TwoModes, IgnoresModesCloserThanTheMargin) {
  EXPECT_FALSE(modes(two_heaps(90, 0.008, 0.0005)));
  EXPECT_TRUE(modes(two_heaps(90, 0.012, 0.0005)));
  EXPECT_TRUE(modes(two_heaps(90, 0.008, 0.0005), {.distance = 0.005}));
}

TEST(TwoModes, AFewFarSamplesAreOutliersNotAMode) {
  Numbers samples = two_heaps(100, 0);
  for (std::size_t i = 0; i < 9; ++i) samples[11 * i] += 0.3;
  EXPECT_FALSE(modes(samples));
  for (std::size_t i = 0; i < 25; ++i) samples[4 * i + 1] += 0.3;
  EXPECT_TRUE(modes(samples));
}

TEST(TwoModes, ALevelThatChangedOnceIsADriftAndNoSecondMode) {
  Numbers samples = two_heaps(90, 0);
  for (std::size_t i = 40; i < 90; ++i) samples[i] += 0.05;
  EXPECT_FALSE(modes(samples));
  for (std::size_t i = 10; i < 20; ++i) samples[i] += 0.05;
  for (std::size_t i = 60; i < 70; ++i) samples[i] -= 0.05;
  EXPECT_TRUE(modes(samples)) << "five changes";
}

TEST(TwoModes, EdgeTable) {
  EXPECT_FALSE(modes({}));
  EXPECT_FALSE(modes(two_heaps(19, 0.05)));
  EXPECT_TRUE(modes(two_heaps(30, 0.05)));
  EXPECT_FALSE(modes(Numbers(50, 3.0)));
  EXPECT_FALSE(two_modes(Numbers(30, 1.0), Numbers(29, 1.0))) << "not the same samples";
  EXPECT_FALSE(modes(two_heaps(90, 0.05), {.share = 0.6})) << "two modes cannot both hold more than half";
  Numbers two_values(40, 1.0);
  for (std::size_t i = 0; i < 40; i += 2) two_values[i] = 2;
  EXPECT_EQ(modes(two_values)->upper_share, 0.5);
}

}  // namespace
}  // namespace torchgate::stats
