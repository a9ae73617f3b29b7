// SPDX-License-Identifier: Apache-2.0
#include "stats/effective_sample_size.hpp"

#include <random>

#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;

TEST(EffectiveSampleSize, IsTheDefinition) {
  for (const auto& row : read_json("noise.json", "series")) {
    const auto values = row.at("values").get<Numbers>();
    EXPECT_TRUE(is_close(*effective_sample_size(values), row.at("effective"), 1e-7)) << values.size();
  }
}

// Of a first-order autoregression n (1 - phi) / (1 + phi) values are worth n.
TEST(EffectiveSampleSize, TheClosedFormOfAnAutoregression) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  for (const double phi : {0.0, 0.3, 0.8}) {
    Numbers values(50'000);
    double level = 0;
    for (double& value : values) value = level = phi * level + normal(random);
    const double expected = 50'000 * (1 - phi) / (1 + phi);
    EXPECT_NEAR(*effective_sample_size(values), expected, 0.12 * expected) << phi;
  }
}

TEST(EffectiveSampleSize, EdgeTable) {
  EXPECT_FALSE(effective_sample_size({}));
  EXPECT_FALSE(effective_sample_size(Numbers{1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_FALSE(effective_sample_size(Numbers(50, 2.5)));
  Numbers values(30, 1.0);
  values[3] = not_a_number;
  EXPECT_FALSE(effective_sample_size(values));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = i % 2 == 0 ? 1 : -1;
  EXPECT_EQ(*effective_sample_size(values), 30) << "alternating values never count as more than n";
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = i < 15 ? 0 : 1;
  EXPECT_LT(*effective_sample_size(values), 4) << "a step is worth a few values";
  EXPECT_GE(*effective_sample_size(values), 1);
}

}  // namespace
}  // namespace torchgate::stats
