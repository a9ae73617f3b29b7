// SPDX-License-Identifier: Apache-2.0
#include "stats/hampel.hpp"

#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;
using Indices = std::vector<std::size_t>;

// Differences 1 -1 1 -1 8.3 -8.3 1 -1 1: median 1, absolute deviations 0 2 0 2 7.3 9.3 0 2 0, their median 2; the spread is
// 1.4826 x 2 / sqrt 2 = 2.097. Around index 5 both medians are 0; four spreads are 8.39.
TEST(Hampel, TheLimitIsFourSpreadsBeyondTheNearerMedian) {
  const Numbers inside{0, 1, 0, 1, 0, 8.3, 0, 1, 0, 1};
  EXPECT_EQ(hampel_filter(inside).values, inside);
  EXPECT_TRUE(hampel_filter(inside).outliers.empty());

  Numbers outside = inside;
  outside[5] = 8.5;  // the median difference is still 1 and the median deviation 2
  const Filtered filtered = hampel_filter(outside);
  EXPECT_EQ(filtered.outliers, Indices{5});
  EXPECT_EQ(filtered.values[5], 0) << "the median of 0 1 0 | 0 1 0";
  EXPECT_EQ(filtered.values[4], outside[4]);
}

TEST(Hampel, AStepStaysAndAPairGoes) {
  const Numbers low{0.3, 1.1, 0.2, 0.9, 0.5, 1.4};
  Numbers step = low;
  for (double value : low) step.push_back(value + 50);
  EXPECT_TRUE(hampel_filter(step).outliers.empty());
  Numbers pair = low;
  pair.insert(pair.end(), {50.1, 50.7});
  pair.insert(pair.end(), low.begin(), low.end());
  EXPECT_EQ(hampel_filter(pair).outliers, (Indices{6, 7})) << "two of three neighbours on each side are low";
}

TEST(Hampel, DropsAreOutliersToo) {
  const Numbers values{5, 6, 5, 6, 5, -60, 5, 6, 5, 6, 5};
  EXPECT_EQ(hampel_filter(values).outliers, Indices{5});
  EXPECT_EQ(hampel_filter(values).values[5], 5);
}

TEST(Hampel, EdgeTable) {
  EXPECT_TRUE(hampel_filter({}).values.empty());
  for (const Numbers& values : {Numbers{1}, Numbers{1, 2}, Numbers{0, 0, 90}, Numbers(20, 3.5)}) {
    EXPECT_EQ(hampel_filter(values).values, values);
    EXPECT_TRUE(hampel_filter(values).outliers.empty());
  }
  // The first two and the last two have no two neighbours on one side.
  EXPECT_TRUE(hampel_filter(Numbers{90, 0, 0, 0, 0, 0, 0, 90}).outliers.empty());
  Numbers equal(20, 3.5);
  equal[10] = 3.6;
  EXPECT_EQ(hampel_filter(equal).outliers, Indices{10}) << "without any spread every single step is one";
}

}  // namespace
}  // namespace torchgate::stats
