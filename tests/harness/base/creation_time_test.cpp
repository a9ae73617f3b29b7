// SPDX-License-Identifier: Apache-2.0
#include "harness/base/creation_time.hpp"

#include <gtest/gtest.h>

namespace torchgate::base {
namespace {

TEST(CreationTime, MayBeAheadByTheSkewOfAClockAndNoMore) {
  using namespace std::chrono;
  const auto now = system_clock::time_point(sys_days(year(2026) / 12 / 31)) + 23h + 58min;
  EXPECT_FALSE(is_from_the_future("2026-12-31T23:58:00.000Z", now));
  EXPECT_FALSE(is_from_the_future("2027-01-01T00:03:00.999Z", now));
  EXPECT_TRUE(is_from_the_future("2027-01-01T00:03:01.000Z", now));
  EXPECT_TRUE(is_from_the_future("2999-01-01T00:00:00.000Z", now));
  EXPECT_FALSE(is_from_the_future("1970-01-01T00:00:00.000Z", now));
}

}  // namespace
}  // namespace torchgate::base
