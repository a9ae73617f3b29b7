// SPDX-License-Identifier: Apache-2.0
#include "ci/calibrate/carry_over.hpp"

#include <gtest/gtest.h>

namespace {

using namespace torchgate;
using calibrate::carry_over;

record::CaseCalibration sd_of(const std::string& name, std::optional<double> run_sd,
                              std::optional<double> instructions = {}) {
  record::CaseCalibration one;
  one.name = name;
  one.run_sd = run_sd;
  one.instructions_spread = instructions;
  return one;
}

record::Calibration of_cases(std::vector<record::CaseCalibration> cases, double run_sd,
                             const std::string& counter = "") {
  record::Calibration made;
  made.cases = std::move(cases);
  made.run_sd = run_sd;
  made.instruction_counter = counter;
  return made;
}

TEST(CarryOver, KeepsTheCasesThatWereNotMeasuredNow) {
  const auto earlier = of_cases({sd_of("a/1", 0.06), sd_of("b/1", 0.07), sd_of("b/2", 0.08)}, 0.07);
  auto measured = of_cases({sd_of("a/1", 0.002)}, 0.002);
  EXPECT_EQ(carry_over(measured, earlier).kept, 2U);
  ASSERT_EQ(measured.cases.size(), 3U);
  EXPECT_EQ(measured.cases[0].run_sd, 0.002);
  EXPECT_EQ(measured.cases[1].run_sd, 0.07);
  EXPECT_EQ(measured.cases[2].run_sd, 0.08);
  EXPECT_EQ(measured.run_sd, 0.07) << "the median over all";
}

record::CaseCalibration on(const std::string& device, record::CaseCalibration one) {
  one.device = device;
  return one;
}

TEST(CarryOver, OfAnotherGpuOnlyCasesOfTheCpuAreKept) {
  auto earlier = of_cases({on("cuda", sd_of("a/1", 0.06)), on("cpu", sd_of("b/1", 0.07)), sd_of("c/1", 0.08),
                           on("cuda", sd_of("d/1", 0.09))},
                          0.07);
  earlier.device_key = "t4";
  auto measured = of_cases({on("cuda", sd_of("a/1", std::nullopt))}, 0.002);
  measured.device_key = "h200";
  const auto carried = carry_over(measured, earlier);
  EXPECT_EQ(carried.kept, 1U);
  EXPECT_EQ(carried.dropped, 2U) << "the device of c/1 is not known";
  ASSERT_EQ(measured.cases.size(), 2U);
  EXPECT_EQ(measured.cases[0].run_sd, std::nullopt) << "not that of the other GPU";
  EXPECT_EQ(measured.cases[1].name, "b/1");
  EXPECT_EQ(measured.device_key, "h200");
}

TEST(CarryOver, AGpuThatIsNotKnownIsNotTheEarlierOne) {
  auto earlier = of_cases({on("cuda", sd_of("a/1", 0.06)), on("cpu", sd_of("b/1", 0.07))}, 0.07);
  earlier.device_key = "t4";
  auto unknown = of_cases({on("cuda", sd_of("d/1", 0.002))}, 0.002);
  EXPECT_EQ(carry_over(unknown, earlier).kept, 1U);
  EXPECT_EQ(unknown.device_key, std::nullopt);
  auto of_cpus = of_cases({on("cpu", sd_of("d/1", 0.002))}, 0.002);
  EXPECT_EQ(carry_over(of_cpus, earlier).kept, 2U);
  EXPECT_EQ(of_cpus.device_key, "t4") << "that of what was kept";
}

TEST(CarryOver, ACaseKeepsTheTimeOfItsCalibration) {
  auto first = of_cases({sd_of("a/1", 0.06)}, 0.06);
  first.created = "2026-01-01T00:00:00.000Z";
  auto second = of_cases({sd_of("b/1", 0.06)}, 0.06);
  second.created = "2026-02-01T00:00:00.000Z";
  auto third = of_cases({sd_of("c/1", 0.06)}, 0.06);
  carry_over(second, first);
  carry_over(third, second);
  ASSERT_EQ(third.cases.size(), 3U);
  EXPECT_EQ(third.cases[0].created, "");
  EXPECT_EQ(third.cases[1].created, second.created);
  EXPECT_EQ(third.cases[2].created, first.created);
}

TEST(CarryOver, ACaseMeasuredNowCounts) {
  const auto earlier = of_cases({sd_of("a/1", 0.06)}, 0.06);
  auto measured = of_cases({sd_of("a/1", 0.002), sd_of("a/2", 0.004)}, 0.0025);
  const auto before = measured;
  EXPECT_EQ(carry_over(measured, earlier).kept, 0U);
  EXPECT_EQ(measured, before);
}

TEST(CarryOver, AnUnknownValueReplacesNoKnownOne) {
  const auto earlier = of_cases({sd_of("a/1", 0.06)}, 0.06);
  auto measured = of_cases({sd_of("a/1", std::nullopt)}, 0.01);
  EXPECT_EQ(carry_over(measured, earlier).kept, 0U);
  EXPECT_EQ(measured.cases.front().run_sd, 0.06);
}

TEST(CarryOver, KeepsSpreadsOfInstructionsOfTheSameCounter) {
  const auto earlier = of_cases({sd_of("a/1", 0.06, 0.001), sd_of("b/1", 0.06, 0.002)}, 0.06, "counter-1");
  auto timed = of_cases({sd_of("a/1", 0.05)}, 0.05);
  carry_over(timed, earlier);
  EXPECT_EQ(timed.instruction_counter, "counter-1");
  EXPECT_EQ(timed.cases[0].instructions_spread, 0.001);
  EXPECT_EQ(timed.cases[1].instructions_spread, 0.002);

  auto counted = of_cases({sd_of("a/1", 0.05, 0.003)}, 0.05, "counter-2");
  carry_over(counted, earlier);
  EXPECT_EQ(counted.instruction_counter, "counter-2");
  EXPECT_EQ(counted.cases[0].instructions_spread, 0.003);
  EXPECT_EQ(counted.cases[1].instructions_spread, std::nullopt) << "counted in another way";
  EXPECT_EQ(counted.cases[1].run_sd, 0.06);
}

}  // namespace
