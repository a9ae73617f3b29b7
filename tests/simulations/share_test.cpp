// SPDX-License-Identifier: Apache-2.0
#include "tests/simulations/share.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace torchgate::simulations {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

bool is_close(double got, double want, double tolerance) {
  return std::abs(got - want) <= tolerance * std::abs(want);
}

TEST(Share, NoHitHasAClosedForm) {
  // P(Bin(n, p) = 0) = (1-p)^n = 0.05
  for (std::size_t n : {1u, 3u, 960u, 182400u}) {
    EXPECT_TRUE(is_close(*share_upper_bound(0, n), 1 - std::pow(0.05, 1.0 / static_cast<double>(n)), 1e-9)) << n;
    EXPECT_EQ(share_lower_bound(0, n), 0.0);
    EXPECT_EQ(share_upper_bound(n, n), 1.0);
    EXPECT_TRUE(is_close(*share_lower_bound(n, n), std::pow(0.05, 1.0 / static_cast<double>(n)), 1e-9)) << n;
  }
}

double at_most(std::size_t k, std::size_t n, double p) {
  double sum = 0;
  for (std::size_t i = 0; i <= k; ++i) {
    double term = std::pow(p, static_cast<double>(i)) * std::pow(1 - p, static_cast<double>(n - i));
    for (std::size_t j = 1; j <= i; ++j) term *= static_cast<double>(n - i + j) / static_cast<double>(j);
    sum += term;
  }
  return sum;
}

TEST(Share, TheBoundsLeaveFivePercentOfTheBinomialBeyond) {
  for (std::size_t n : {5u, 20u, 60u}) {
    for (std::size_t k = 1; k < n; k += 3) {
      EXPECT_NEAR(at_most(k, n, *share_upper_bound(k, n)), 0.05, 1e-9) << k << " of " << n;
      EXPECT_NEAR(1 - at_most(k - 1, n, *share_lower_bound(k, n)), 0.05, 1e-9) << k << " of " << n;
      EXPECT_NEAR(at_most(k, n, *share_upper_bound(k, n, 0.99)), 0.01, 1e-9) << k << " of " << n;
    }
  }
}

TEST(Share, EdgeTable) {
  EXPECT_FALSE(share_upper_bound(0, 0));
  EXPECT_FALSE(share_lower_bound(0, 0));
  EXPECT_FALSE(share_upper_bound(3, 2));
  EXPECT_FALSE(share_lower_bound(3, 2));
  for (double level : {0.0, 1.0, -1.0, not_a_number}) EXPECT_FALSE(share_upper_bound(1, 2, level));
}

}  // namespace
}  // namespace torchgate::simulations
