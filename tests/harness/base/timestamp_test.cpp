// SPDX-License-Identifier: Apache-2.0
#include "harness/base/timestamp.hpp"

#include <gtest/gtest.h>

namespace torchgate::base {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using Time = std::chrono::system_clock::time_point;

// Checked against: date -u -d @1772357400 +%FT%T
TEST(Timestamp, IsUtcWithMilliseconds) {
  EXPECT_EQ(utc_timestamp(Time(milliseconds(0))), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(utc_timestamp(Time(milliseconds(1'772'357'400'125))), "2026-03-01T09:30:00.125Z");
}

TEST(Timestamp, RoundsDown) {
  EXPECT_EQ(utc_timestamp(Time(nanoseconds(999'999'999))), "1970-01-01T00:00:00.999Z");
  EXPECT_EQ(utc_timestamp(Time(nanoseconds(-1))), "1969-12-31T23:59:59.999Z");
}

// Files name years that the nanoseconds of system_clock do not reach. Checked against: date -u -d @253402300799 +%FT%T
TEST(Timestamp, KnowsTheYearsOfFiles) {
  using Milliseconds = std::chrono::sys_time<milliseconds>;
  EXPECT_EQ(utc_timestamp(Milliseconds(milliseconds(253'402'300'799'999))), "9999-12-31T23:59:59.999Z");
  EXPECT_EQ(utc_timestamp(Milliseconds(std::chrono::sys_days(std::chrono::year(7) / 2 / 3))),
            "0007-02-03T00:00:00.000Z");
}

TEST(Timestamp, IsReadAgain) {
  using std::chrono::sys_seconds;
  EXPECT_EQ(utc_seconds("2026-03-01T09:30:00.125Z"), sys_seconds(std::chrono::seconds(1'772'357'400)));
  EXPECT_EQ(utc_seconds("2026-03-01T09:30:00Z"), sys_seconds(std::chrono::seconds(1'772'357'400)));
  for (const char* other : {"", "2026-03-01", "2026-13-01T09:30:00Z", "2026-02-30T09:30:00Z", "2026-03-01T09:30:00",
                            "2026-03-01Tab:30:00Z", "-026-03-01T09:30"})
    EXPECT_FALSE(utc_seconds(other)) << other;
}

}  // namespace
}  // namespace torchgate::base
