// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/device/throttle_guard.hpp"

#include <gtest/gtest.h>

#include "tests/harness/bench/fakes.hpp"

namespace torchgate::bench {
namespace {

using testing::ms;

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

TEST(LockedClock, IsANumberOfMegahertzOrAnError) {
  EXPECT_EQ(locked_clock_mhz(nullptr).value(), std::nullopt);
  EXPECT_DOUBLE_EQ(locked_clock_mhz("1410").value().value(), 1'410);
  EXPECT_DOUBLE_EQ(locked_clock_mhz("1980.5").value().value(), 1'980.5);
  for (const char* bad : {"", "fast", "1410 MHz", "0", "-1", "nan", "inf", "1e999"}) {
    const auto answer = locked_clock_mhz(bad);
    ASSERT_FALSE(answer) << bad;
    EXPECT_EQ(answer.error().message,
              std::string("TORCHGATE_SM_CLOCK_MHZ: invalid; expected the locked clock of the device in MHz, found \"") +
                  bad + "\"");
  }
}

TEST(FlushBytes, AreTwiceTheCacheAndAtLeastSixtyFourMegabytes) {
  constexpr std::size_t mb = std::size_t{1} << 20;
  EXPECT_EQ(flush_bytes(4 * mb), 64 * mb);
  EXPECT_EQ(flush_bytes(32 * mb), 64 * mb);
  EXPECT_EQ(flush_bytes(60 * mb), 120 * mb);
  EXPECT_EQ(flush_bytes(0), 64 * mb) << "a device that does not say";
}

TEST_F(ThrottleGuardTest, ThreeQuartersOfTheExpectedClockAreKept) {
  EXPECT_TRUE(guard.keeps(1'500));
  EXPECT_FALSE(guard.keeps(1'499));
  EXPECT_TRUE(guard.keeps(2'100)) << "a boost is not throttling";
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
