// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/rounded_samples.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "harness/record/sample_summary.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace torchgate::gate {
namespace {

using Samples = std::vector<double>;

double rounded(double value, int digits) {
  const double step = std::pow(10, std::floor(std::log10(value)) + 1 - digits);
  return std::round(value / step) * step;
}

// Six processes of one case; of blocks of a million calls.
record::Run files(const std::vector<Samples>& processes) {
  record::Run run = testing::empty_run("aaaa");
  Samples firsts;
  for (const Samples& each : processes) firsts.push_back(each.front());
  testing::add_case(run, "g/one/a", firsts);
  for (std::size_t i = 0; i < processes.size(); ++i) {
    record::CaseResult& result = testing::result_of(run, i, "g/one/a");
    result.calls_per_sample = 1000000;
    result.measurements.front().samples = processes[i];
    result.measurements.front().summary = record::summarize_samples(processes[i]);
  }
  return run;
}

std::vector<Samples> measured(unsigned seed, double noise, int digits, std::size_t repetitions = 3) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, noise);
  std::vector<Samples> all(6, Samples(repetitions));
  for (Samples& each : all)
    for (double& value : each) value = rounded(100.123456 * (1 + normal(random)), digits);
  return all;
}

std::size_t copies(const std::vector<Samples>& before, const std::vector<Samples>& after) {
  const record::Run stored = files(before);
  const record::Run current = files(after);
  const SideEvidence was(stored, 0);
  const SideEvidence is(current, 0);
  return rounded_processes(was.cases().begin()->second, is.cases().begin()->second);
}

TEST(RoundedSamples, AnotherFormOfTheSameMeasurementIsACopy) {
  const auto before = measured(1, 0.005, 15);
  EXPECT_EQ(copies(before, measured(1, 0.005, 6)), 6U) << "a CSV";
  EXPECT_EQ(copies(measured(1, 0.005, 6), before), 6U);
  EXPECT_EQ(copies(before, measured(1, 0.005, 9)), 6U);
  auto part = before;
  for (Samples& each : part) each.pop_back();
  EXPECT_EQ(copies(before, part), 6U) << "two of three repetitions";
  auto mixed = measured(2, 0.005, 15);
  for (std::size_t i = 0; i < 3; ++i) mixed[i] = measured(1, 0.005, 6)[i];
  EXPECT_EQ(copies(before, mixed), 3U);
}

TEST(RoundedSamples, OtherMeasurementsAreNotCopies) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    for (const double noise : {1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2}) {
      for (const int digits : {3, 4, 5, 6, 15}) {
        EXPECT_EQ(copies(measured(2 * seed, noise, digits), measured(2 * seed + 1, noise, digits)), 0U)
            << seed << ", " << noise << ", " << digits << " digits";
        EXPECT_EQ(copies(measured(2 * seed, noise, 15, 10), measured(2 * seed + 1, noise, digits, 10)), 0U)
            << seed << ", " << noise << ", 15 and " << digits << " digits";
      }
    }
  }
}

}  // namespace
}  // namespace torchgate::gate
