// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/time_left.hpp"

#include <gtest/gtest.h>

namespace torchgate::launch {
namespace {

TEST(TimeLeft, NothingIsKnownWithoutEstimates) {
  TimeLeft time({std::nullopt, std::nullopt});
  EXPECT_EQ(time.left({1, 1}), std::nullopt);
  EXPECT_EQ(time.left({0, 0}), 0.0);
  time.finished(0, 3);
  EXPECT_EQ(time.left({1, 2}), 9.0);  // the other group as long as this one
}

TEST(TimeLeft, StartsFromEstimatesAndCorrectsThem) {
  TimeLeft time({10.0, 20.0});
  EXPECT_EQ(time.left({2, 1}), 40.0);
  time.finished(0, 15);  // half as long again as estimated
  EXPECT_EQ(time.left({1, 1}), 15.0 + 30.0);
  time.finished(1, 20);
  EXPECT_EQ(time.left({1, 1}), 35.0);
  time.finished(0, 5);
  EXPECT_EQ(time.left({3, 0}), 30.0);  // mean of 15 and 5
}

TEST(TimeLeft, NoGroupsNoTime) {
  EXPECT_EQ(TimeLeft({}).left({}), 0.0);
}

}  // namespace
}  // namespace torchgate::launch
