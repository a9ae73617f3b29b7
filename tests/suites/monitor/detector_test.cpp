// SPDX-License-Identifier: Apache-2.0
// The detectors on noise that was recorded from a real server (tests/fixtures/serving/README.md), as it is and with a slow-down.
#include "suites/serving/monitor/detector.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <optional>
#include <vector>

namespace torchgate::monitor {
namespace {

std::vector<double> recorded() {
  std::ifstream file(TORCHGATE_LATENCIES);
  std::vector<double> values;
  for (double value = 0; file >> value;) values.push_back(value);
  EXPECT_GE(values.size(), 4000U) << TORCHGATE_LATENCIES;
  return values;
}

// Alarms per 1,000 values of the unchanged stream.
template <class Detector>
double false_alarms_per_thousand(const std::vector<double>& values) {
  Detector detector;
  double alarms = 0;
  double scored = 0;
  for (const double value : values) {
    const Score score = detector.observe(value);
    scored += score.ready ? 1 : 0;
    alarms += score.alarm ? 1 : 0;
  }
  return 1000 * alarms / scored;
}

// The median number of values from a slow-down to the alarm, over starts that are 50 values apart; absent if more than half of them
// end without one after 100 values.
template <class Detector>
std::optional<int> delay(const std::vector<double>& values, double factor) {
  constexpr std::size_t before = 200;
  constexpr int longest = 100;
  std::vector<int> delays;
  for (std::size_t start = 0; start + before + longest <= values.size(); start += 50) {
    Detector detector;
    for (std::size_t i = 0; i < before; ++i) detector.observe(values[start + i]);
    int found = longest + 1;
    for (int i = 0; i < longest && found > longest; ++i) {
      if (detector.observe(factor * values[start + before + static_cast<std::size_t>(i)]).alarm) found = i + 1;
    }
    delays.push_back(found);
  }
  std::sort(delays.begin(), delays.end());
  const int median = delays[delays.size() / 2];
  if (median > longest) return std::nullopt;
  return median;
}

std::string text(const std::optional<int>& values) {
  return values ? std::to_string(*values) : "not found";
}

TEST(Detectors, OnRecordedNoise) {
  const std::vector<double> values = recorded();
  const double sigma_false = false_alarms_per_thousand<ThreeSigma>(values);
  const double ewma_false = false_alarms_per_thousand<Ewma>(values);
  const auto sigma_10 = delay<ThreeSigma>(values, 1.1);
  const auto sigma_30 = delay<ThreeSigma>(values, 1.3);
  const auto ewma_10 = delay<Ewma>(values, 1.1);
  const auto ewma_30 = delay<Ewma>(values, 1.3);
  std::cout << "three sigma: " << sigma_false << " false alarms per 1,000; +10 % after " << text(sigma_10)
            << ", +30 % after " << text(sigma_30) << "\newma: " << ewma_false << " false alarms per 1,000; +10 % after "
            << text(ewma_10) << ", +30 % after " << text(ewma_30) << "\n";
  EXPECT_LE(sigma_false, 30);
  EXPECT_LE(ewma_false, 30);
  ASSERT_TRUE(sigma_30 && ewma_30 && ewma_10);
  EXPECT_LE(*ewma_30, 10);
  EXPECT_LE(*ewma_10, 30);
}

TEST(ThreeSigma, ANewLevelIsNormalAfterAWindow) {
  ThreeSigma detector;
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(detector.observe(100 + i % 3).ready);
  EXPECT_TRUE(detector.observe(200).alarm);
  for (int i = 0; i < 100; ++i) detector.observe(200 + i % 3);
  EXPECT_FALSE(detector.observe(202).alarm);
}

TEST(ThreeSigma, ValuesThatDoNotVarySayNothing) {
  // 0.7 and 1.1: logarithms whose sum is rounded. 350 values: the window computes its sums anew at 200 and at 300.
  for (const double value : {0.7, 1.1, 5.0}) {
    ThreeSigma detector;
    for (int i = 0; i < 350; ++i) EXPECT_FALSE(detector.observe(value).ready) << value << ' ' << i;
  }
}

TEST(Ewma, LearnsAgainFromABaselineThatDoesNotVary) {
  Ewma detector;
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(detector.observe(1.1).ready);
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(detector.observe(100 + i % 3).ready);
  EXPECT_TRUE(detector.observe(101).ready);
  bool found = false;
  for (int i = 0; i < 20; ++i) found = detector.observe(200).alarm || found;
  EXPECT_TRUE(found);
}

TEST(Ewma, AgreesWithThePublishedChart) {
  // NIST/SEMATECH e-Handbook, 6.3.2.4: lambda 0.3, mean 50, sd 2.0539; the last of 20 values has EWMA 50.23 ... and no signal.
  const double published[] = {52.0, 47.0, 53.0, 49.3, 50.1, 47.0, 51.0, 50.1, 51.2, 50.5,
                              49.6, 47.6, 49.9, 51.3, 47.8, 51.2, 52.6, 52.4, 53.6, 52.1};
  const double ewma[] = {50.60, 49.52, 50.56, 50.18, 50.16, 49.21, 49.75, 49.85, 50.26, 50.33,
                         50.11, 49.36, 49.52, 50.05, 49.38, 49.92, 50.73, 51.23, 51.94, 51.99};
  // Ours works on logarithms: the values are given as exp(), so that it sees those of the handbook.
  Ewma detector(0.3, 3.0, 2);
  const double half = 2.0539 / std::sqrt(2.0);
  detector.observe(std::exp(50 - half));
  detector.observe(std::exp(50 + half));  // mean 50, sd 2.0539
  for (std::size_t i = 0; i < std::size(published); ++i) {
    const Score score = detector.observe(std::exp(published[i]));
    const double limit = 2.0539 * std::sqrt(0.3 / 1.7 * (1 - std::pow(0.7, 2 * static_cast<double>(i + 1))));
    EXPECT_NEAR(score.deviations, (ewma[i] - 50) / limit, 0.01) << i;
    EXPECT_FALSE(score.alarm);
  }
}

// The order that looks natural and is wrong: learn the value, then ask how far it is from what was learned.
struct LearnsFirst {
  double alpha;
  double mean = 0;
  double variance = 1;
  bool observe(double value) {
    mean = alpha * value + (1 - alpha) * mean;
    const double residual = value - mean;
    variance = alpha * residual * residual + (1 - alpha) * variance;
    return std::abs(residual) > 3 * std::sqrt(variance);
  }
};

TEST(LearningFirst, CanNeverAlarmFromAnAlphaOfOneNinthOn) {
  for (const double alpha : {1.0 / 9, 0.2, 0.5}) {
    for (const double jump : {3.0, 10.0, 1e3, 1e6, 1e12}) {
      LearnsFirst detector{alpha};
      for (int i = 0; i < 100; ++i) detector.observe(i % 2 == 0 ? 1 : -1);
      EXPECT_FALSE(detector.observe(jump)) << alpha << ' ' << jump;
    }
  }
  LearnsFirst small{0.05};
  for (int i = 0; i < 100; ++i) small.observe(i % 2 == 0 ? 1 : -1);
  EXPECT_TRUE(small.observe(1e6)) << "a smaller alpha can";
  Ewma ours(0.2);
  for (int i = 0; i < 100; ++i) ours.observe(std::exp(i % 2 == 0 ? 0.1 : -0.1));
  EXPECT_TRUE(ours.observe(std::exp(10)).alarm);
}

}  // namespace
}  // namespace torchgate::monitor
