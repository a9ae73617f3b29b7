// SPDX-License-Identifier: Apache-2.0
#include "stats/ratio_interval.hpp"

#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;

TEST(RatioInterval, AgreesWithSciPyOnLogValues) {
  for (const auto& row : read_json("vectors.json", "two_sample")) {
    SCOPED_TRACE(row.at("name").get<std::string>());
    const auto ratio = ratio_interval(row.at("a").get<Numbers>(), row.at("b").get<Numbers>());
    ASSERT_TRUE(ratio && ratio->interval);
    EXPECT_TRUE(is_close(ratio->p, row.at("log_ratio_welch_p"), 1e-10));
    EXPECT_LT(ratio->interval->low, ratio->ratio);
    EXPECT_GT(ratio->interval->high, ratio->ratio);
    EXPECT_EQ(ratio->p<0.05, ratio->interval->low> 1 || ratio->interval->high < 1);
  }
}

TEST(RatioInterval, IsTheRatioOfGeometricMeans) {
  const auto ratio = ratio_interval(Numbers{1, 4}, Numbers{2, 18});
  ASSERT_TRUE(ratio && ratio->interval);
  EXPECT_DOUBLE_EQ(ratio->ratio, 3);  // sqrt(36) / sqrt(4)
  EXPECT_NEAR(ratio->interval->low * ratio->interval->high, 9, 1e-9) << "symmetric around the ratio in logarithms";
}

TEST(RatioInterval, EdgeTable) {
  const Numbers fine{1, 2, 3};
  for (const Numbers& bad :
       {Numbers{}, Numbers{1}, Numbers{1, 0}, Numbers{1, -2}, Numbers{1, not_a_number}, Numbers{1, infinity}}) {
    EXPECT_FALSE(ratio_interval(bad, fine));
    EXPECT_FALSE(ratio_interval(fine, bad));
  }
  EXPECT_FALSE(ratio_interval(Numbers{1e-300, 2e-300}, Numbers{1e300, 2e300})) << "1e600 does not fit a double";
  const auto constant = ratio_interval(Numbers{2, 2}, Numbers{4, 4});
  ASSERT_TRUE(constant);
  EXPECT_DOUBLE_EQ(constant->ratio, 2);
  EXPECT_FALSE(constant->interval);
  EXPECT_EQ(constant->p, 0);
  EXPECT_FALSE(log_values(Numbers{1, 0}));
  EXPECT_TRUE(log_values({})->empty());
}

}  // namespace
}  // namespace torchgate::stats
