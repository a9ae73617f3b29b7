// SPDX-License-Identifier: Apache-2.0
#include "stats/pairwise_sum.hpp"

#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;

TEST(PairwiseSum, IsNumPysToTheLastBit) {
  const auto rows = read_json("change_points.json", "sums");
  ASSERT_GE(rows.size(), 15u);
  for (const auto& row : rows) {
    const auto values = row.at("values").get<Numbers>();
    EXPECT_EQ(pairwise_sum(values), row.at("sum").get<double>()) << values.size() << " values";
  }
}

TEST(PairwiseSum, AddsUp) {
  EXPECT_EQ(pairwise_sum({}), 0);
  EXPECT_EQ(pairwise_sum(Numbers(1000, 0.5)), 500);
  EXPECT_EQ(pairwise_mean(Numbers{1, 2, 6}), 3);
}

}  // namespace
}  // namespace torchgate::stats
