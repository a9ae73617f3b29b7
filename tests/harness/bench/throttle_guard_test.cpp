// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/device/throttle_guard.hpp"

#include <gtest/gtest.h>

namespace torchgate::bench {
namespace {

constexpr std::int64_t ms = 1'000'000;

class ThrottleGuardTest : public ::testing::Test {
 protected:
  ThrottleGuardTest() {
    traits.expected_clock_mhz = 2'000;
    traits.timer_step_ns = 1'000;
  }
  [[nodiscard]] std::optional<double> mhz(double cycles, double ns) const {
    return clock_mhz(ClockReading{cycles, ns}, traits, settings);
  }

  DeviceTraits traits;
  DeviceSettings settings;
  ThrottleGuard guard{traits, settings};
};

TEST_F(ThrottleGuardTest, TheClockIsCyclesOverTime) {
  EXPECT_DOUBLE_EQ(mhz(75'000, 50'000).value(), 1'500);
}

TEST_F(ThrottleGuardTest, AClockThatCannotBeToldIsUnknown) {
  EXPECT_FALSE(clock_mhz(std::nullopt, traits, settings));
  EXPECT_FALSE(mhz(0, 50'000)) << "the counter stood still";
  EXPECT_FALSE(mhz(-5, 50'000)) << "it went backwards";
  EXPECT_FALSE(mhz(60'000, 39'000)) << "39 steps of the timer";
  EXPECT_TRUE(mhz(60'000, 40'000));
  traits.timer_step_ns = 0;
  EXPECT_FALSE(mhz(60'000, 0)) << "the timer stood still";
}

TEST_F(ThrottleGuardTest, ThreeQuartersOfTheExpectedClockAreKept) {
  EXPECT_TRUE(guard.keeps(1'500));
  EXPECT_FALSE(guard.keeps(1'499));
  EXPECT_TRUE(guard.keeps(2'100)) << "a boost is no fault";
  EXPECT_TRUE(guard.keeps(std::nullopt)) << "unknown is not throttled";
  EXPECT_EQ(guard.kept(), 3);
  EXPECT_EQ(guard.discarded(), 1);
  traits.expected_clock_mhz.reset();
  EXPECT_TRUE(guard.keeps(100)) << "nothing to compare with";
}

TEST_F(ThrottleGuardTest, PausesGrowWithEachInARowUpToTheLongest) {
  EXPECT_EQ(guard.pause_ns(), 0);
  for (const std::int64_t expected : {50, 100, 150}) {
    (void)guard.keeps(1'000);
    EXPECT_EQ(guard.pause_ns(), expected * ms);
  }
  for (int i = 0; i < 20; ++i) (void)guard.keeps(1'000);
  EXPECT_EQ(guard.pause_ns(), 500 * ms);
  (void)guard.keeps(2'000);
  EXPECT_EQ(guard.pause_ns(), 0);
  (void)guard.keeps(1'000);
  EXPECT_EQ(guard.pause_ns(), 50 * ms);
}

TEST_F(ThrottleGuardTest, MoreThanAFifthDiscardedIsInvalid) {
  for (int i = 0; i < 10; ++i) (void)guard.keeps(1'000 + i);
  EXPECT_FALSE(guard.invalid(40)) << "10 of 50 are a fifth";
  EXPECT_EQ(
      guard.invalid(39).value_or("").find("10 samples ran below 75 % of the expected clock (down to 1000 of 2000"), 0U);
}

}  // namespace
}  // namespace torchgate::bench
