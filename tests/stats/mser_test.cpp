// SPDX-License-Identifier: Apache-2.0
#include "stats/mser.hpp"

#include <random>

#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;

// The definition, one candidate cut after the other.
std::size_t slow_cut(const Numbers& samples) {
  Numbers means;
  for (std::size_t i = 0; i + 5 <= samples.size(); i += 5) {
    means.push_back((samples[i] + samples[i + 1] + samples[i + 2] + samples[i + 3] + samples[i + 4]) / 5);
  }
  double best = infinity;
  std::size_t cut = 0;
  for (std::size_t d = 0; d <= means.size() / 2; ++d) {
    const auto left = static_cast<double>(means.size() - d);
    double mean = 0;
    for (std::size_t j = d; j < means.size(); ++j) mean += means[j] / left;
    double squares = 0;
    for (std::size_t j = d; j < means.size(); ++j) squares += (means[j] - mean) * (means[j] - mean);
    if (squares / (left * left) < best) {
      best = squares / (left * left);
      cut = d;
    }
  }
  return cut * 5;
}

TEST(Mser5, IsTheDefinition) {
  std::mt19937_64 random(8);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 200; ++trial) {
    Numbers samples(10 + random() % 200);
    const double warm_up = static_cast<double>(random() % 60);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      samples[i] = 10 + 0.5 * std::exp(-static_cast<double>(i) / (1 + warm_up)) + 0.05 * normal(random);
    }
    EXPECT_EQ(mser5(samples)->discard, slow_cut(samples));
  }
}

TEST(Mser5, CutsAStepAndKeepsASteadySeries) {
  Numbers samples(200);
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = 5 + 0.01 * static_cast<double>(i % 5);
  EXPECT_EQ(mser5(samples)->discard, 0u);
  for (std::size_t i = 0; i < 33; ++i) samples[i] += 1;
  const auto cut = mser5(samples);
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->discard, 35u) << "the whole batch that the step ends in";
  EXPECT_FALSE(cut->at_limit);
}

TEST(Mser5, ASlopeNeverBecomesSteady) {
  Numbers samples(200);
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = 0.01 * static_cast<double>(i);
  const auto cut = mser5(samples);
  ASSERT_TRUE(cut);
  EXPECT_TRUE(cut->at_limit);
  EXPECT_EQ(cut->discard, 100u);
}

TEST(Mser5, EdgeTable) {
  EXPECT_FALSE(mser5({}));
  EXPECT_FALSE(mser5(Numbers(9, 1.0)));
  EXPECT_FALSE(mser5(Numbers(20, not_a_number)));
  EXPECT_FALSE(mser5(Numbers(20, infinity)));
  const auto equal = mser5(Numbers(40, 0.1));
  ASSERT_TRUE(equal);
  EXPECT_EQ(equal->discard, 0u);
  EXPECT_FALSE(equal->at_limit);
  Numbers remainder(14, 1.0);  // two batches; the last four samples belong to none
  remainder.back() = 100;
  EXPECT_EQ(mser5(remainder)->discard, 0u);
}

}  // namespace
}  // namespace torchgate::stats
