// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/device/queue_ahead.hpp"

#include <gtest/gtest.h>

#include "tests/harness/bench/fakes.hpp"

namespace torchgate::bench {
namespace {

using testing::ms;
using testing::us;

class QueueAheadTest : public ::testing::Test {
 protected:
  DeviceSettings settings;
  QueueAhead ahead{settings};
};

TEST_F(QueueAheadTest, AHoldThatIsEnoughStays) {
  EXPECT_FALSE(ahead.again(false, 30 * us));
  EXPECT_EQ(ahead.hold_ns(), 50 * us);
  EXPECT_FALSE(ahead.gave_up());
}

TEST_F(QueueAheadTest, TheNextHoldIsTwiceWhatTheHostTook) {
  EXPECT_TRUE(ahead.again(true, 80 * us));
  EXPECT_EQ(ahead.hold_ns(), 160 * us);
  EXPECT_FALSE(ahead.again(false, 80 * us));
}

TEST_F(QueueAheadTest, AHoldNeverBecomesShorter) {
  EXPECT_TRUE(ahead.again(true, 20 * us));
  EXPECT_EQ(ahead.hold_ns(), 50 * us);
}

TEST_F(QueueAheadTest, OneInterruptionOfTheHostDoesNotMakeItLonger) {
  EXPECT_FALSE(ahead.again(false, 20 * us));
  EXPECT_TRUE(ahead.again(true, 5 * ms));
  EXPECT_EQ(ahead.hold_ns(), 50 * us);
  EXPECT_TRUE(ahead.again(true, 70 * us)) << "twice in a row is not an interruption";
  EXPECT_EQ(ahead.hold_ns(), 140 * us);
}

TEST_F(QueueAheadTest, GivesUpWhereTheCallWaitsForTheDevice) {
  std::int64_t attempts = 1;
  while (ahead.again(true, ahead.hold_ns() + 100 * us)) ++attempts;
  EXPECT_EQ(attempts, 5) << "three longer holds, then one attempt without";
  EXPECT_TRUE(ahead.gave_up());
  EXPECT_EQ(ahead.hold_ns(), 0);
  EXPECT_FALSE(ahead.again(true, 1 * ms));
}

TEST_F(QueueAheadTest, GivesUpWhereTheHostIsTooSlow) {
  EXPECT_TRUE(ahead.again(true, 10 * ms));
  EXPECT_EQ(ahead.hold_ns(), 20 * ms);
  EXPECT_TRUE(ahead.again(true, 11 * ms));
  EXPECT_EQ(ahead.hold_ns(), 0);
  EXPECT_TRUE(ahead.gave_up());
}

}  // namespace
}  // namespace torchgate::bench
