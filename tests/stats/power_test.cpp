// SPDX-License-Identifier: Apache-2.0
#include "stats/power.hpp"

#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;

// statsmodels solves for n; the power at that n is compared, because its n is only as good as its root finder.
TEST(Power, AgreesWithStatsmodels) {
  const auto vectors = read_json("vectors.json");
  for (const auto& row : vectors.at("power_one_sample")) {
    EXPECT_TRUE(is_close(*power_one_sample(row.at("d"), row.at("n"), row.at("alpha")), row.at("power"), 1e-6))
        << row.dump();
    EXPECT_EQ(sample_size_one_sample(row.at("d"), row.at("alpha"), row.at("power")),
              static_cast<std::size_t>(std::ceil(row.at("n").get<double>())));
  }
}

TEST(Power, EdgeTable) {
  EXPECT_EQ(*power_one_sample(0, 10, 0.05), 0.05);
  EXPECT_DOUBLE_EQ(*power_one_sample(-0.5, 30, 0.05), *power_one_sample(0.5, 30, 0.05));
  EXPECT_FALSE(power_one_sample(0.5, 1, 0.05));
  EXPECT_FALSE(power_one_sample(not_a_number, 10, 0.05));
  EXPECT_FALSE(power_one_sample(infinity, 10, 0.05));
  EXPECT_FALSE(power_one_sample(0.5, 10, 0));
  EXPECT_FALSE(power_one_sample(0.5, not_a_number, 0.05));
  EXPECT_FALSE(sample_size_one_sample(0, 0.05, 0.8));
  EXPECT_FALSE(sample_size_one_sample(1e-9, 0.05, 0.8)) << "more than 100,000";
  EXPECT_FALSE(sample_size_one_sample(0.5, 0.05, 1));
}

}  // namespace
}  // namespace torchgate::stats
