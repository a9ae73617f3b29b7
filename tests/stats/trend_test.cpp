// SPDX-License-Identifier: Apache-2.0
#include "stats/trend.hpp"

#include <random>

#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;

Numbers ramp(std::size_t n, double rise, double sd) {
  std::mt19937_64 random(23);
  std::normal_distribution<double> normal;
  Numbers samples(n);
  for (std::size_t i = 0; i < n; ++i)
    samples[i] = 9 + rise * static_cast<double>(i) / static_cast<double>(n) + sd * normal(random);
  return samples;
}

TEST(Trend, AgreesWithTheOracle) {
  for (const auto& row : read_json("noise.json", "series")) {
    const auto values = row.at("values").get<Numbers>();
    const auto found = trend(values);
    ASSERT_TRUE(found) << values.size();
    EXPECT_NEAR(found->rise, row.at("trend").at("rise"), 1e-12);
    EXPECT_TRUE(is_close(found->p, row.at("trend").at("p"), 1e-6)) << values.size();
  }
}

TEST(Trend, ASlopeIsFoundInBothDirectionsAndNoiseIsNot) {
  EXPECT_TRUE(drifts(ramp(100, 0.05, 0.01)));
  EXPECT_TRUE(drifts(ramp(100, -0.05, 0.01)));
  EXPECT_FALSE(drifts(ramp(100, 0, 0.01)));
}

TEST(Trend, ASlopeBelowTheMarginIsNotDrift) {
  const Numbers samples = ramp(200, 0.01, 0.0005);  // first to last third: 0.7 %
  EXPECT_LT(trend(samples)->p, 1e-9);
  EXPECT_FALSE(drifts(samples));
  EXPECT_TRUE(drifts(samples, {.rise = 0.005}));
}

TEST(Trend, SpikesDoNotMakeOne) {
  Numbers samples = ramp(100, 0, 0.005);
  for (std::size_t i = 90; i < 100; i += 3) samples[i] += 2;
  EXPECT_GT(trend(samples)->p, 0.001);
}

TEST(Trend, EdgeTable) {
  EXPECT_FALSE(trend({}));
  EXPECT_FALSE(trend(Numbers(19, 1.0)));
  EXPECT_FALSE(trend(Numbers(40, 1.0)));
  EXPECT_FALSE(drifts(Numbers(40, 1.0)));
  Numbers line(40);
  for (std::size_t i = 0; i < line.size(); ++i) line[i] = static_cast<double>(i);
  ASSERT_TRUE(trend(line));
  EXPECT_LT(trend(line)->p, 1e-9);
  EXPECT_TRUE(drifts(line));
  line[7] = not_a_number;
  EXPECT_FALSE(trend(line));
  EXPECT_FALSE(drifts(line));
  Numbers waves(40);
  for (std::size_t i = 0; i < waves.size(); ++i) waves[i] = std::sin(static_cast<double>(i) / 8);
  EXPECT_FALSE(trend(waves)) << "worth fewer than eight independent samples";
}

}  // namespace
}  // namespace torchgate::stats
