// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/output.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace torchgate::bench {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
const double nan = std::nan("");

record::OutputCheck compare_values(std::vector<double> reference, std::vector<double> output, double tolerance = 1e-5) {
  return compare({std::move(reference), "double"}, {std::move(output), "double"}, within(tolerance), "s/g/ref");
}

TEST(Compare, GivesDistanceAndAngle) {
  // |(3,4)| = 5, difference (0,1): relative 1/5; cosine (9+20)/(5 sqrt(34)).
  const auto check = compare_values({3, 4}, {3, 5}, 0.2);
  EXPECT_EQ(check.against, "s/g/ref");
  EXPECT_DOUBLE_EQ(check.max_abs, 1);
  EXPECT_DOUBLE_EQ(check.relative_l2, 0.2);
  EXPECT_DOUBLE_EQ(check.cosine.value(), 29 / (5 * std::sqrt(34.0)));
  EXPECT_DOUBLE_EQ(check.tolerance, 0.2);
  EXPECT_TRUE(check.within) << "the tolerance itself is within";
  EXPECT_FALSE(compare_values({3, 4}, {3, 5}, 0.19).within);
}

TEST(Compare, EqualOutputsAreWithinNothing) {
  const auto check = compare_values({1, -2, 0.1}, {1, -2, 0.1}, 0);
  EXPECT_TRUE(check.within);
  EXPECT_EQ(check.relative_l2, 0);
  EXPECT_LE(check.cosine.value(), 1);
}

TEST(Compare, SizesMustAgree) {
  EXPECT_FALSE(compare_values({1, 2}, {1, 2, 3}, 1e9).within);
  EXPECT_FALSE(compare_values({1, 2}, {}, 1e9).within);
}

TEST(Compare, NothingComparedIsNotWithin) {
  EXPECT_FALSE(compare_values({}, {}, 1e9).within);
  EXPECT_FALSE(compare_values({nan, inf}, {nan, inf}, 1e9).within);
}

TEST(Compare, NanAndInfinityOnOneSideAreNeverWithin) {
  for (const double bad : {nan, inf, -inf}) {
    EXPECT_FALSE(compare_values({1, 2}, {1, bad}, 1e9).within);
    EXPECT_FALSE(compare_values({1, bad}, {1, 2}, 1e9).within);
  }
  EXPECT_FALSE(compare_values({1, inf}, {1, -inf}, 1e9).within);
  EXPECT_FALSE(compare_values({1, inf}, {1, nan}, 1e9).within);
  EXPECT_EQ(compare_values({1}, {nan}).relative_l2, inf);
}

TEST(Compare, TheSameNanOrInfinityOnBothSidesIsAgreement) {
  const auto check = compare_values({1, nan, -inf}, {1, nan, -inf}, 0);
  EXPECT_TRUE(check.within);
  EXPECT_EQ(check.max_abs, 0);
}

TEST(Compare, ZeroVectors) {
  const auto same = compare_values({0, 0}, {0, 0}, 0);
  EXPECT_TRUE(same.within);
  EXPECT_FALSE(same.cosine.has_value());
  const auto other = compare_values({0, 0}, {0, 1e-30}, 1e9);
  EXPECT_FALSE(other.within) << "no multiple of nothing is something";
  EXPECT_EQ(other.relative_l2, inf);
}

TEST(Compare, HugeAndTinyNumbersDoNotSlipThrough) {
  EXPECT_FALSE(compare_values({1e200}, {-1e200}, 0.5).within) << "squares overflow";
  EXPECT_FALSE(compare_values({1e-200}, {-1e-200}, 0.5).within) << "squares vanish";
  EXPECT_TRUE(compare_values({1e200}, {1e200}, 0).within);
}

TEST(Tolerance, OfNaNIsNeverMet) {
  EXPECT_FALSE(compare_values({1}, {1.5}, nan).within);
}

TEST(OutputOf, NumbersAndVectors) {
  EXPECT_EQ(OutputOf<int>::get(7).values, std::vector<double>{7});
  EXPECT_EQ((OutputOf<std::vector<float>>::get({1.5F, 2}).values), (std::vector<double>{1.5, 2}));
  EXPECT_EQ((OutputOf<std::vector<bool>>::get({true, false}).values), (std::vector<double>{1, 0}));
}

}  // namespace
}  // namespace torchgate::bench
