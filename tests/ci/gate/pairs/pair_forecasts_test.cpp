// SPDX-License-Identifier: Apache-2.0
// What processes that ran one after the other say of a pair's difference. Forecasts of pairs in turns: turns_test.cpp.
#include "ci/gate/pairs/pair_forecasts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace torchgate::gate {
namespace {

using Logs = std::vector<double>;

constexpr double normal_per_mad = 1.4826;  // 1 / Phi^-1(3/4), Rousseeuw and Croux 1993

TEST(PairSdEstimate, IsThatOfBothSidesMedianDeviations) {
  // Median 0.02, deviations 0.02 0.01 0 0.01 0.98: their median is 0.01. The disturbed process does not count.
  const auto sd = estimate_pair_sd({0.0, 0.01, 0.02, 0.03, 1.0}, {0.5, 0.5, 0.5 + 0.01, 0.5 - 0.01, 0.5 + 0.02});
  ASSERT_TRUE(sd);
  EXPECT_NEAR(sd->sd, normal_per_mad * std::hypot(0.01, 0.01), 1e-6);
  EXPECT_EQ(sd->df, 8);
}

TEST(PairSdEstimate, NeedsTwoProcessesOfEachSide) {
  const Logs two{0.1, 0.2};
  EXPECT_TRUE(estimate_pair_sd(two, two));
  for (const Logs& few : {Logs{}, Logs{0.1}}) {
    EXPECT_FALSE(estimate_pair_sd(few, two));
    EXPECT_FALSE(estimate_pair_sd(two, few));
  }
  const Logs endless{0.1, std::numeric_limits<double>::infinity()};
  EXPECT_FALSE(estimate_pair_sd(endless, two));
  EXPECT_FALSE(estimate_pair_sd(two, endless));
}

TEST(MeanForForecast, IsNoneOfTwoPairs) {
  EXPECT_EQ(mean_for_forecast({0.5, 0.7}), 0);
  EXPECT_NEAR(mean_for_forecast({0.5, 0.7, 0.6}), 0.6, 1e-12);
}

}  // namespace
}  // namespace torchgate::gate
