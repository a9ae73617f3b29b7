// SPDX-License-Identifier: Apache-2.0
#include "reports/format.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace torchgate::reports {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const Format unicode;
const Format ascii{Notation::ascii};

record::Metric metric(const std::string& unit, record::MetricKind kind = record::MetricKind::timed) {
  return {"m", unit, record::Direction::lower_is_better, kind, false};
}

TEST(Quantity, ATimeHasFourSignificantDigitsInTheUnitThatNeedsNoExponent) {
  EXPECT_EQ(unicode.quantity(0.25, "ns"), "0.2500 ns");
  EXPECT_EQ(unicode.quantity(12, "ns"), "12.00 ns");
  EXPECT_EQ(unicode.quantity(999.94, "ns"), "999.9 ns");
  EXPECT_EQ(unicode.quantity(12313.0, "ns"), "12.31 µs");
  EXPECT_EQ(unicode.quantity(12.313e6, "ns"), "12.31 ms");
  EXPECT_EQ(unicode.quantity(12.313e9, "ns"), "12.31 s");
  EXPECT_EQ(unicode.quantity(4321.9e9, "ns"), "4322 s");
}

TEST(Quantity, RoundingUpMovesToTheNextUnit) {
  EXPECT_EQ(unicode.quantity(999.96, "ns"), "1.000 µs");
  EXPECT_EQ(unicode.quantity(999949.0, "ns"), "999.9 µs");
  EXPECT_EQ(unicode.quantity(999951.0, "ns"), "1.000 ms");
}

TEST(Quantity, RoundingUpInsideAUnitKeepsFourDigits) {
  EXPECT_EQ(unicode.quantity(9.99996e6, "ns"), "10.00 ms");
  EXPECT_EQ(unicode.quantity(99.996e6, "ns"), "100.0 ms");
}

TEST(Quantity, TimesMayComeInAnyUnit) {
  EXPECT_EQ(unicode.quantity(0.01231, "s"), "12.31 ms");
  EXPECT_EQ(unicode.quantity(12.31, "ms"), "12.31 ms");
  EXPECT_EQ(unicode.quantity(12310, "us"), "12.31 ms");
  EXPECT_EQ(unicode.quantity(12310, "µs"), "12.31 ms");
}

TEST(Quantity, SizesAreInPowersOf1024) {
  EXPECT_EQ(unicode.quantity(512, "bytes"), "512 B");
  EXPECT_EQ(unicode.quantity(1024, "bytes"), "1.000 KiB");
  EXPECT_EQ(unicode.quantity(52113408, "bytes"), "49.70 MiB");
  EXPECT_EQ(unicode.quantity(3.5 * 1024 * 1024 * 1024, "B"), "3.500 GiB");
}

TEST(Quantity, CountsHaveAllTheirDigits) {
  EXPECT_EQ(unicode.quantity(0, "1"), "0");
  EXPECT_EQ(unicode.quantity(1234567, "1"), "1,234,567");
  EXPECT_EQ(unicode.quantity(-1234567, ""), "-1,234,567");
  EXPECT_EQ(unicode.quantity(12.5, "1"), "12.50");
}

TEST(Quantity, OtherUnitsAreKept) {
  EXPECT_EQ(unicode.quantity(97.25, "img/s"), "97.25 img/s");
  EXPECT_EQ(unicode.quantity(3.5e6, "kreq/s"), "3500000 kreq/s") << "it has a prefix";
  EXPECT_EQ(unicode.quantity(1.5e12, "flop"), "1.500e+12 flop");
  EXPECT_EQ(unicode.quantity(1.5e-7, "x"), "1.500e-07 x");
}

TEST(Quantity, RatesHaveUnitsLikeTimesAndBytes) {
  EXPECT_EQ(unicode.quantity(3000641, "items/s"), "3.001M items/s");
  EXPECT_EQ(unicode.quantity(12, "items/s"), "12.00 items/s");
  EXPECT_EQ(unicode.quantity(2e9, "bytes/s"), "1.863 GiB/s");
  EXPECT_EQ(unicode.quantity(12313, "1/s"), "12.31k/s");
}

TEST(Quantity, ZeroIsAValueAndUnknownIsNot) {
  EXPECT_EQ(unicode.quantity(0, "ns"), "0 ns");
  EXPECT_EQ(unicode.quantity(std::nullopt, "ns"), "–");
  EXPECT_EQ(unicode.quantity(std::nan(""), "ns"), "–");
  EXPECT_EQ(unicode.quantity(infinity, "ns"), "–");
  EXPECT_EQ(ascii.quantity(std::nullopt, "ns"), "-");
}

TEST(Quantity, AsciiHasNoOtherCharacters) {
  EXPECT_EQ(ascii.quantity(12313.0, "ns"), "12.31 us");
  EXPECT_EQ(ascii.plus_minus() + "5", "+-5");
  EXPECT_EQ(ascii.arrow(), "->");
}

TEST(Quantities, ShareTheUnitOfTheLarger) {
  const auto [before, after] = unicode.quantities(999.8e3, 1.012e6, metric("ns"));
  EXPECT_EQ(before, "0.9998 ms");
  EXPECT_EQ(after, "1.012 ms");
}

TEST(Quantities, FarApartEachHasItsOwnUnit) {
  const auto [before, after] = unicode.quantities(12, 5e9, metric("ns"));
  EXPECT_EQ(before, "12.00 ns");
  EXPECT_EQ(after, "5.000 s");
}

TEST(Quantities, AnExactMetricThatDiffersIsNeverRoundedToTheSameText) {
  const auto [before, after] = unicode.quantities(104226816, 104226880, metric("bytes", record::MetricKind::exact));
  EXPECT_EQ(before, "104,226,816 B");
  EXPECT_EQ(after, "104,226,880 B");
  const auto [same, too] = unicode.quantities(104226816, 104226816, metric("bytes", record::MetricKind::exact));
  EXPECT_EQ(same, "99.40 MiB");
  EXPECT_EQ(too, same);
}

TEST(Quantities, OneSideUnknown) {
  const auto [before, after] = unicode.quantities(std::nullopt, 1.0e6, metric("ns"));
  EXPECT_EQ(before, "–");
  EXPECT_EQ(after, "1.000 ms");
}

TEST(Percent, IsSignedAndNeverRoundsAChangeToNothing) {
  EXPECT_EQ(unicode.percent(0.0), "0 %");
  EXPECT_EQ(unicode.percent(0.0003), "+0.03 %");
  EXPECT_EQ(unicode.percent(0.000001), "+0.0001 %");
  EXPECT_EQ(unicode.percent(-0.0512), "-5.12 %");
  EXPECT_EQ(unicode.percent(0.127), "+12.7 %");
  EXPECT_EQ(unicode.percent(1.5), "+150 %");
  EXPECT_EQ(unicode.percent(25000.0), "+2.50e+06 %");
  EXPECT_EQ(unicode.percent(std::nullopt), "–");
  EXPECT_EQ(unicode.percent(std::nan("")), "–");
  EXPECT_EQ(unicode.calls(1000001, 1000001), "1,000,001");
  EXPECT_EQ(unicode.calls(1.5, 1000000), "1.5 → 1,000,000");
  EXPECT_EQ(unicode.percent_beside(0.127, 0.05), "+12.7 %");
  EXPECT_EQ(unicode.percent_beside(0.050025, 0.05), "+5.003 %");
  EXPECT_EQ(unicode.percent_beside(0.04998, 0.05), "+4.998 %");
  EXPECT_EQ(unicode.percent_beside(0.05, 0.05), "+5.00 %");
  EXPECT_EQ(unicode.percent_beside(0.0496, 0.05), "+4.96 %");
  EXPECT_EQ(unicode.percent_beside(std::nullopt, 0.05), "–");
}

TEST(Share, HasNoSign) {
  EXPECT_EQ(unicode.share(0.05), "5 %");
  EXPECT_EQ(unicode.share(0.9975), "99.75 %");
  EXPECT_EQ(unicode.share(std::nullopt), "–");
}

TEST(IntervalText, NamesBothEnds) {
  EXPECT_EQ(unicode.change_interval(Interval{-0.02, 0.101, 0.99}), "[-2.00 %, +10.1 %]");
  EXPECT_EQ(unicode.value_interval(Interval{14.11e6, 15.93e6, 0.95}, "ns"), "[14.11 ms, 15.93 ms]");
  EXPECT_EQ(unicode.change_interval(std::nullopt), "–");
  EXPECT_EQ(unicode.change_interval(Interval{-infinity, 0.1, 0.99}), "–");
  EXPECT_EQ(unicode.value_interval(Interval{0, std::nan(""), 0.99}, "ns"), "–");
}

TEST(PValue, HasAFloor) {
  EXPECT_EQ(unicode.p_value(1.0), "1");
  EXPECT_EQ(unicode.p_value(0.0312), "0.0312");
  EXPECT_EQ(unicode.p_value(0.001), "0.001");
  EXPECT_EQ(unicode.p_value(0.000021), "2.1e-05");
  EXPECT_EQ(unicode.p_value(1e-12), "1.0e-12");
  EXPECT_EQ(unicode.p_value(9.9e-13), "<1e-12");
  EXPECT_EQ(unicode.p_value(0.0), "<1e-12");
}

TEST(PValue, OutsideItsRangeIsUnknown) {
  EXPECT_EQ(unicode.p_value(-0.1), "–");
  EXPECT_EQ(unicode.p_value(1.1), "–");
  EXPECT_EQ(unicode.p_value(std::nan("")), "–");
  EXPECT_EQ(unicode.p_value(std::nullopt), "–");
}

TEST(EffectSize, CarriesItsWord) {
  EXPECT_EQ(unicode.effect_size(3.1, "large"), "+3.10 large");
  EXPECT_EQ(unicode.effect_size(-0.04, "negligible"), "-0.04 negligible");
  EXPECT_EQ(unicode.effect_size(1234.5, ""), "+1234");
  EXPECT_EQ(unicode.effect_size(1.5e7, ""), "+1.5e+07");
  EXPECT_EQ(unicode.effect_size(std::nullopt, "large"), "–");
}

TEST(Rate, StepsInThousands) {
  EXPECT_EQ(unicode.rate(649.9), "649.9/s");
  EXPECT_EQ(unicode.rate(12313), "12.31k/s");
  EXPECT_EQ(unicode.rate(1.5e9), "1.500G/s");
  EXPECT_EQ(unicode.rate(0.25), "0.2500/s");
  EXPECT_EQ(unicode.rate(std::nullopt), "–");
}

TEST(Factor, EndsWithX) {
  EXPECT_EQ(unicode.factor(0.9), "0.9000x");
  EXPECT_EQ(unicode.factor(std::nan("")), "–");
}

}  // namespace
}  // namespace torchgate::reports
