// SPDX-License-Identifier: Apache-2.0
#include "ci/policy/pairs_budget.hpp"

#include <gtest/gtest.h>

namespace {

using torchgate::policy::least_time_for_counts;
using torchgate::policy::parse_budget;
using torchgate::policy::seconds_for_counts;
using torchgate::policy::seconds_for_pairs;

TEST(Budget, AFifthOfATimeIsKeptForCounting) {
  EXPECT_DOUBLE_EQ(*seconds_for_pairs(300, true), 240);
  EXPECT_DOUBLE_EQ(seconds_for_counts(240), 60);
  EXPECT_EQ(seconds_for_pairs(300, false), 300);
  EXPECT_FALSE(seconds_for_pairs(std::nullopt, true).has_value());
}

TEST(Budget, CountingHasMinutesWhereNoTimeWasStated) {
  for (const char* text : {"run", "none", "24 pairs"}) EXPECT_EQ(least_time_for_counts(text).count(), 180) << text;
  EXPECT_EQ(least_time_for_counts("90s").count(), 0);
}

TEST(Budget, TakesTimesInTheirUnits) {
  EXPECT_EQ(parse_budget("90s")->seconds, 90);
  EXPECT_EQ(parse_budget("5m")->seconds, 300);
  EXPECT_EQ(parse_budget("5 min")->seconds, 300);
  EXPECT_EQ(parse_budget("1h30m")->seconds, 5400);
  EXPECT_EQ(parse_budget("0.5h")->seconds, 1800);
  EXPECT_FALSE(parse_budget("90s")->pairs.has_value());
}

TEST(Budget, TakesPairs) {
  EXPECT_EQ(parse_budget("24 pairs")->pairs, 24);
  EXPECT_EQ(parse_budget("1 pair")->pairs, 1);
  EXPECT_EQ(parse_budget("24")->pairs, 24);
  EXPECT_FALSE(parse_budget("24")->seconds.has_value());
}

TEST(Budget, RefusesEverythingElse) {
  for (const char* text : {"", "soon", "-5m", "0", "0s", "5x", "2.5 pairs", "m5", "5m 24 pairs", "24 pairs 5m", "1e99s",
                           "nan", "24 24", "5m3"}) {
    const auto budget = parse_budget(text);
    ASSERT_FALSE(budget.ok()) << text;
    EXPECT_NE(budget.error().message.find("90s"), std::string::npos) << budget.error().message;
  }
}

}  // namespace
