// SPDX-License-Identifier: Apache-2.0
#include "stats/effect_size.hpp"

#include <random>

#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;

TEST(EffectSize, AgreesWithTheReferenceVectors) {
  for (const auto& row : read_json("vectors.json", "two_sample")) {
    SCOPED_TRACE(row.at("name").get<std::string>());
    const Numbers a = row.at("a");
    const Numbers b = row.at("b");
    EXPECT_TRUE(is_close(*cohen_d(a, b), row.at("cohen_d"), 1e-10));
    EXPECT_TRUE(is_close(*hedges_g(a, b), row.at("hedges_g"), 1e-10));
    EXPECT_TRUE(is_close(*cliffs_delta(a, b), row.at("cliff_delta"), 1e-10));
  }
}

TEST(HedgesCorrection, ClosedFormsAndLargeSamples) {
  // df = 2: Gamma(1) / (1 * Gamma(1/2)); df = 3: Gamma(3/2) / (sqrt(3/2) Gamma(1)); df = 4: 1 / (sqrt 2 * sqrt(pi)/2)
  const double root_pi = std::sqrt(std::acos(-1.0));
  EXPECT_TRUE(is_close(*hedges_correction(2), 1 / root_pi, 1e-14));
  EXPECT_TRUE(is_close(*hedges_correction(3), root_pi / 2 / std::sqrt(1.5), 1e-14));
  EXPECT_TRUE(is_close(*hedges_correction(4), std::sqrt(2.0) / root_pi, 1e-14));
  // Stirling: J = 1 - 3/(4 df) - 7/(32 df^2) + O(df^-3)
  for (double df : {1e4, 1e6, 1e9}) EXPECT_NEAR(*hedges_correction(df), 1 - 0.75 / df - 7 / (32 * df * df), 1e-12);
  EXPECT_EQ(*hedges_correction(infinity), 1);
  EXPECT_FALSE(hedges_correction(1));
  EXPECT_FALSE(hedges_correction(not_a_number));
}

TEST(CliffsDelta, IsTheCountOverAllPairs) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 50; ++trial) {
    Numbers a(1 + random() % 12);
    Numbers b(1 + random() % 12);
    for (double& x : a) x = static_cast<double>(random() % 8);  // plenty of ties
    for (double& x : b) x = static_cast<double>(random() % 8);
    int dominance = 0;
    for (double x : a) {
      for (double y : b) dominance += (y > x) - (y < x);
    }
    EXPECT_DOUBLE_EQ(*cliffs_delta(a, b), dominance / static_cast<double>(a.size() * b.size()));
    EXPECT_DOUBLE_EQ(*cliffs_delta(b, a), -*cliffs_delta(a, b));
  }
}

TEST(EffectSize, NeitherSideVaries) {
  EXPECT_EQ(*cohen_d(Numbers{2, 2}, Numbers{2, 2}), 0);
  EXPECT_EQ(*cohen_d(Numbers{2, 2}, Numbers{3, 3}), infinity);
  EXPECT_EQ(*cohen_d(Numbers{2, 2}, Numbers{1, 1}), -infinity);
}

TEST(EffectSize, EdgeTable) {
  const Numbers fine{1, 2, 4};
  for (const Numbers& bad : {Numbers{}, Numbers{1, not_a_number}, Numbers{1, infinity}}) {
    EXPECT_FALSE(cohen_d(bad, fine));
    EXPECT_FALSE(hedges_g(fine, bad));
    EXPECT_FALSE(cliffs_delta(bad, fine));
    EXPECT_FALSE(cliffs_delta(fine, bad));
  }
  EXPECT_FALSE(cohen_d(Numbers{1}, fine));
  EXPECT_FALSE(cohen_d(fine, Numbers{-1e200, 1e200}));
  EXPECT_EQ(*cliffs_delta(Numbers{1}, Numbers{2}), 1);
}

TEST(EffectWord, ChangesAtTheUsualLimits) {
  EXPECT_EQ(effect_word(0), EffectWord::negligible);
  EXPECT_EQ(effect_word(0.1999), EffectWord::negligible);
  EXPECT_EQ(effect_word(0.2), EffectWord::small);
  EXPECT_EQ(effect_word(-0.4999), EffectWord::small);
  EXPECT_EQ(effect_word(0.5), EffectWord::medium);
  EXPECT_EQ(effect_word(0.8), EffectWord::large);
  EXPECT_EQ(effect_word(-infinity), EffectWord::large);
  EXPECT_EQ(to_string(EffectWord::medium), "medium");
}

}  // namespace
}  // namespace torchgate::stats
