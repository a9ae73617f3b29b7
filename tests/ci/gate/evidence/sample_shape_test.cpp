// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/sample_shape.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

namespace torchgate::gate {
namespace {

std::vector<double> from_to(double first, double last, std::size_t count) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(first + (last - first) * static_cast<double>(i) / static_cast<double>(count - 1));
  return values;
}

std::int64_t sum(const std::vector<std::int64_t>& bins) {
  return std::accumulate(bins.begin(), bins.end(), std::int64_t{0});
}

TEST(SampleShape, EverySampleIsInABinOrBeyond) {
  const auto shape = sample_shape(from_to(100, 200, 500), from_to(150, 250, 500), {100, 250});
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->before.size(), shape_bins);
  EXPECT_EQ(shape->after.size(), shape_bins);
  EXPECT_DOUBLE_EQ(shape->low, 100);  // a process value widens the axis
  EXPECT_DOUBLE_EQ(shape->high, 250);
  EXPECT_EQ(sum(shape->before) + sum(shape->after) + shape->beyond, 1000);
  EXPECT_EQ(shape->beyond, 0);
  // 500 samples evenly over two thirds of the axis: 32 bins with about 15.6 each, and none in the upper third.
  EXPECT_NEAR(static_cast<double>(shape->before[10]), 500.0 / 32, 1.5);
  EXPECT_EQ(shape->before[40], 0);
}

TEST(SampleShape, OneStalledSampleLeavesTheOthersTheirShape) {
  std::vector<double> stalled = from_to(100, 110, 500);
  stalled.back() = 1e9;
  const auto shape = sample_shape(stalled, from_to(100, 110, 500), {});
  ASSERT_TRUE(shape);
  EXPECT_LT(shape->high, 111);
  EXPECT_GE(shape->beyond, 1);
}

TEST(SampleShape, IsAbsentForTooFewOrEqualSamples) {
  EXPECT_FALSE(sample_shape(from_to(1, 2, shape_bins - 1), from_to(1, 2, 500), {}));
  EXPECT_FALSE(sample_shape(std::vector<double>(500, 1.0), std::vector<double>(500, 1.0), {}));
}

TEST(SampleShape, WhatIsNotFiniteIsBeyond) {
  std::vector<double> bad = from_to(1, 2, 500);
  bad[3] = std::numeric_limits<double>::quiet_NaN();
  bad[4] = std::numeric_limits<double>::infinity();
  const auto shape = sample_shape(bad, from_to(1, 2, 500), {std::numeric_limits<double>::infinity()});
  ASSERT_TRUE(shape);
  EXPECT_GE(shape->beyond, 2);
  EXPECT_LE(shape->high, 2);
}

}  // namespace
}  // namespace torchgate::gate
