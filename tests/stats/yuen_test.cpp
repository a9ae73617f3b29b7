// SPDX-License-Identifier: Apache-2.0
#include "stats/yuen.hpp"

#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;

TEST(TrimmedMean, AgreesWithThePythonReference) {
  for (const auto& row : read_json("procedure.json", "trimmed")) {
    const auto result = trimmed_mean(row.at("values").get<Numbers>(), 0.1);
    ASSERT_TRUE(result);
    EXPECT_TRUE(is_close(result->mean, row.at("mean"), 1e-10));
    EXPECT_TRUE(is_close(result->standard_error, row.at("se"), 1e-10));
    EXPECT_EQ(result->df, row.at("df").get<double>());
  }
}

TEST(TrimmedMean, ByHand) {
  // 10 % of ten is one a side: mean of 2..9; winsorised 2 2 3 4 5 6 7 8 9 9, sum of squares 66.5 about 5.5.
  const auto result = trimmed_mean(Numbers{100, 1, 9, 2, 8, 3, 7, 4, 6, 5});
  ASSERT_TRUE(result);
  EXPECT_DOUBLE_EQ(result->mean, 5.5);
  EXPECT_DOUBLE_EQ(result->standard_error, std::sqrt(66.5 / (8 * 7)));
  EXPECT_EQ(result->df, 7);
  const Interval interval = trimmed_interval(*result, 0.95);
  EXPECT_NEAR(interval.high - 5.5, 2.3646242510103 * result->standard_error, 1e-9);
  EXPECT_NEAR(5.5 - interval.low, 2.3646242510103 * result->standard_error, 1e-9);
}

TEST(TrimmedMean, EdgeTable) {
  EXPECT_FALSE(trimmed_mean({}));
  EXPECT_FALSE(trimmed_mean(Numbers{1}));
  EXPECT_FALSE(trimmed_mean(Numbers{1, not_a_number}));
  EXPECT_FALSE(trimmed_mean(Numbers{1, infinity, 2}));
  EXPECT_FALSE(trimmed_mean(Numbers{1, 2, 3}, 0.5));
  EXPECT_FALSE(trimmed_mean(Numbers{1, 2, 3}, -0.1));
  EXPECT_FALSE(trimmed_mean(Numbers{1, 2, 3}, 0.4)) << "one value left";
  EXPECT_TRUE(trimmed_mean(Numbers{1, 2}));
  const auto equal = trimmed_mean(Numbers(12, 0.1));
  ASSERT_TRUE(equal);
  EXPECT_EQ(equal->mean, 0.1);
  EXPECT_EQ(equal->standard_error, 0);
}

}  // namespace
}  // namespace torchgate::stats
