// SPDX-License-Identifier: Apache-2.0
#include "stats/mann_kendall.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace torchgate::stats {
namespace {

int score(const std::vector<double>& values) {
  int sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = i + 1; j < values.size(); ++j)
      sum += (values[j] > values[i] ? 1 : 0) - (values[j] < values[i] ? 1 : 0);
  return sum;
}

// Oracle: all orders of up to seven values.
TEST(MannKendall, IsTheShareOfAllOrders) {
  for (std::size_t count = 2; count <= 7; ++count) {
    std::vector<double> order(count);
    std::iota(order.begin(), order.end(), 1.0);
    std::vector<int> of_score(count * count);  // how many orders have it, whatever its sign
    double all = 0;
    do ++of_score[static_cast<std::size_t>(std::abs(score(order)))], ++all;
    while (std::next_permutation(order.begin(), order.end()));
    std::iota(order.begin(), order.end(), 1.0);
    do {
      const auto as_large = std::accumulate(of_score.begin() + std::abs(score(order)), of_score.end(), 0);
      ASSERT_NEAR(mann_kendall_p(order), as_large / all, 1e-12);
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

// Ten values with this score: the first ones fall until it is reached.
std::vector<double> ten_with_score(int wanted) {
  std::vector<double> values(10);
  std::iota(values.begin(), values.end(), 1.0);
  for (std::size_t pass = 0; pass < values.size(); ++pass)
    for (std::size_t i = 0; i + 1 < values.size() && score(values) > wanted; ++i)
      if (values[i] < values[i + 1]) std::swap(values[i], values[i + 1]);
  return values;
}

// Upper tails of Kendall's S for n = 10.
TEST(MannKendall, AgreesWithThePublishedTable) {
  EXPECT_NEAR(mann_kendall_p(ten_with_score(23)) / 2, 0.023, 0.0005);
  EXPECT_NEAR(mann_kendall_p(ten_with_score(25)) / 2, 0.014, 0.0005);
  EXPECT_NEAR(mann_kendall_p(ten_with_score(27)) / 2, 0.0083, 0.00005);
}

TEST(MannKendall, FewValuesAndEqualOnesHaveNoTrend) {
  EXPECT_EQ(mann_kendall_p({}), 1);
  EXPECT_EQ(mann_kendall_p(std::vector{1.0}), 1);
  EXPECT_EQ(mann_kendall_p(std::vector{1.0, 2.0}), 1);
  EXPECT_EQ(mann_kendall_p(std::vector(20, 3.0)), 1);
  std::vector<double> rising(60);
  std::iota(rising.begin(), rising.end(), 0.0);
  EXPECT_GT(mann_kendall_p(rising), 0);
  EXPECT_LT(mann_kendall_p(rising), 1e-60);
}

}  // namespace
}  // namespace torchgate::stats
