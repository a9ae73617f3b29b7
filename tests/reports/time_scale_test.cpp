// SPDX-License-Identifier: Apache-2.0
#include "reports/time_scale.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace torchgate::reports {
namespace {

std::vector<HistoryRun> runs_at(const std::vector<std::string>& times) {
  std::vector<HistoryRun> runs(times.size());
  for (std::size_t i = 0; i < times.size(); ++i) runs[i].created = times[i];
  return runs;
}

TEST(TimeScale, IsTrueToTime) {
  const TimeScale scale(runs_at(
      {"2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z", "2026-01-05T00:00:00Z", "2026-01-11T00:00:00Z"}));
  EXPECT_TRUE(scale.is_true_to_time());
  EXPECT_DOUBLE_EQ(scale.share(0), 0);
  EXPECT_DOUBLE_EQ(scale.share(1), 0.1);
  EXPECT_DOUBLE_EQ(scale.share(2), 0.4);
  EXPECT_DOUBLE_EQ(scale.share(3), 1);
  EXPECT_DOUBLE_EQ(scale.days(), 10);
  EXPECT_EQ(scale.day_at(0.5), "2026-01-06");
  EXPECT_DOUBLE_EQ(scale.share_of(*seconds_of_day("2026-01-21")).value_or(0), 2);
  EXPECT_DOUBLE_EQ(scale.share_of(*seconds_of_day("2025-12-31")).value_or(0), -0.1);
}

TEST(TimeScale, HasEqualStepsWhereTimesAreNotUsable) {
  for (const auto& times :
       {std::vector<std::string>{"2026-01-01T00:00:00Z", "yesterday", "2026-01-09T00:00:00Z"},
        std::vector<std::string>{"2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"}}) {
    const TimeScale scale(runs_at(times));
    EXPECT_FALSE(scale.is_true_to_time());
    EXPECT_DOUBLE_EQ(scale.share(1), 0.5);
    EXPECT_DOUBLE_EQ(scale.share(2), 1);
    EXPECT_FALSE(scale.share_of(0));
    EXPECT_EQ(scale.day_at(0.5), "");
    EXPECT_EQ(scale.days(), 0);
  }
}

// The second run is of an old commit, and was measured last.
TEST(TimeScale, DrawsNoRunAfterOneThatFollowsIt) {
  const auto runs =
      runs_at({"2026-01-01T00:00:00Z", "2026-01-20T00:00:00Z", "2026-01-05T00:00:00Z", "2026-01-11T00:00:00Z"});
  const TimeScale scale(runs);
  EXPECT_TRUE(scale.is_true_to_time());
  EXPECT_DOUBLE_EQ(scale.share(1), 0.4);
  EXPECT_DOUBLE_EQ(scale.share(2), 0.4);
  EXPECT_DOUBLE_EQ(scale.share(3), 1);
  EXPECT_EQ(drawn_seconds(runs)[1], *seconds_of_day("2026-01-05"));
  EXPECT_TRUE(drawn_seconds(runs_at({"2026-01-01T00:00:00Z", "yesterday"})).empty());
}

TEST(TimeScale, OfOneRun) {
  EXPECT_DOUBLE_EQ(TimeScale(runs_at({"2026-01-01T00:00:00Z"})).share(0), 0);
}

TEST(TimeScale, Days) {
  EXPECT_EQ(seconds_of_day("1970-01-02"), 86400);
  EXPECT_FALSE(seconds_of_day("2026-02-30"));
  EXPECT_FALSE(seconds_of_day("2026-01-01T00:00:00Z"));
  EXPECT_FALSE(seconds_of_day(""));
  EXPECT_EQ(day_of(86399), "1970-01-01");
  EXPECT_EQ(day_of(*seconds_of_day("2028-02-29")), "2028-02-29");
}

}  // namespace
}  // namespace torchgate::reports
