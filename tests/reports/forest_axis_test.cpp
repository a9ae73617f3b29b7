// SPDX-License-Identifier: Apache-2.0
#include "reports/forest_axis.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace torchgate::reports {
namespace {

constexpr double endless = std::numeric_limits<double>::infinity();
const std::vector<double> five_percent = {-0.05, 0.05};

ChangeSpan around(double change, double half_width) {
  return {change, change - half_width, change + half_width};
}

// log(1.1) lies as far from 0 as log(1 / 1.1).
TEST(ForestAxis, IsLogarithmic) {
  const ForestAxis axis(1 / 1.1 - 1, 1.1 - 1);
  EXPECT_NEAR(axis.place(0).share, 0.5, 1e-12);
  EXPECT_NEAR(axis.place(std::sqrt(1.1) - 1).share, 0.75, 1e-12);
  EXPECT_EQ(axis.place(0.2).share, 1);
  EXPECT_EQ(axis.place(0.2).beyond, 1);
  EXPECT_EQ(axis.place(-0.5).beyond, -1);
  EXPECT_EQ(axis.place(-1).beyond, -1);
  EXPECT_EQ(axis.place(-3).beyond, -1);
  EXPECT_EQ(axis.place(endless).beyond, 1);
  EXPECT_EQ(axis.place(-endless).beyond, -1);
}

void expect_ticks(const std::vector<double>& ticks, const std::vector<double>& wanted) {
  ASSERT_EQ(ticks.size(), wanted.size());
  for (std::size_t i = 0; i < ticks.size(); ++i) EXPECT_NEAR(ticks[i], wanted[i], 1e-9) << i;
}

TEST(ForestAxis, TicksAreRoundPercents) {
  expect_ticks(ForestAxis(-0.06, 0.16).ticks(7), {-0.05, 0, 0.05, 0.10, 0.15});
  expect_ticks(ForestAxis(-0.06, 0.16).ticks(3), {0, 0.10});
  expect_ticks(ForestAxis(-0.0061, 0.0053).ticks(7), {-0.006, -0.004, -0.002, 0, 0.002, 0.004});
}

TEST(ForestAxis, TicksOfWideAxesAreFactors) {
  expect_ticks(ForestAxis(-0.6, 4.5).ticks(5), {-0.5, 0, 1, 4});
  expect_ticks(ForestAxis(-0.9, 150).ticks(5), {-0.9, 0, 9, 99});
}

TEST(ForestAxis, NeverMoreTicksThanAskedFor) {
  for (const double low : {-0.999999, -0.9, -0.3, -0.01, -0.0001}) {
    for (const double high : {0.0001, 0.02, 0.3, 1.4, 1.6, 20.0, 999999.0}) {
      for (const std::size_t most : {0U, 2U, 3U, 5U, 9U}) {
        const auto ticks = ForestAxis(low, high).ticks(most);
        EXPECT_LE(ticks.size(), std::max<std::size_t>(most, 2)) << low << " " << high;
        EXPECT_GE(ticks.size(), 1U) << low << " " << high;
        for (const double tick : ticks) EXPECT_EQ(ForestAxis(low, high).place(tick).beyond, 0) << tick;
      }
    }
  }
}

TEST(AxisFor, ShowsGateAndMarginWithoutAnyChange) {
  const ForestAxis axis = axis_for({}, five_percent);
  EXPECT_EQ(axis.place(0.05).beyond, 0);
  EXPECT_EQ(axis.place(-0.05).beyond, 0);
  EXPECT_EQ(axis.place(0.1).beyond, 1);
}

TEST(AxisFor, ShowsOrdinaryIntervalsWhole) {
  const ForestAxis axis = axis_for({around(0.127, 0.02), around(0.01, 0.02), around(-0.18, 0.03)}, five_percent);
  for (const double end : {0.147, -0.21}) EXPECT_EQ(axis.place(end).beyond, 0) << end;
  EXPECT_GT(axis.place(0.147).share, 0.8);  // and nothing else takes the room
}

TEST(AxisFor, AHugeIntervalDoesNotSqueezeTheOthers) {
  const ForestAxis axis = axis_for({{0.02, -0.9, 30}, around(0.06, 0.01), around(0.01, 0.01)}, five_percent);
  EXPECT_EQ(axis.place(30).beyond, 1);
  EXPECT_EQ(axis.place(-0.9).beyond, -1);
  EXPECT_EQ(axis.place(0.07).beyond, 0);
  EXPECT_GT(axis.place(0.07).share - axis.place(0.05).share, 0.02);
}

TEST(AxisFor, AnIntervalWithoutEndsIsClipped) {
  const ForestAxis axis =
      axis_for({{0.02, -endless, endless}, {0.5, 0.5, std::nan("")}, {endless, 0, endless}}, five_percent);
  EXPECT_EQ(axis.place(endless).beyond, 1);
  EXPECT_EQ(axis.place(-endless).beyond, -1);
  EXPECT_FALSE(axis.ticks(5).empty());
}

TEST(AxisFor, ALargeRegressionAmongQuietCasesIsOnIt) {
  std::vector<ChangeSpan> spans(39, around(0.001, 0.01));
  spans.push_back(around(0.61, 0.02));
  EXPECT_EQ(axis_for(spans, five_percent).place(0.63).beyond, 0);
  spans.back() = around(40, 1);
  EXPECT_EQ(axis_for(spans, five_percent).place(40).beyond, 1);
  // If all of them are that large, it is what has to be seen.
  EXPECT_EQ(axis_for(std::vector<ChangeSpan>(5, around(40, 1)), five_percent).place(41).beyond, 0);
}

TEST(AxisFor, WithoutLimitsAndChangesItHasALength) {
  const ForestAxis axis = axis_for({{0, 0, 0}}, {});
  EXPECT_LT(axis.place(-0.0005).share, axis.place(0.0005).share);
}

}  // namespace
}  // namespace torchgate::reports
