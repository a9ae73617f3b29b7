// SPDX-License-Identifier: Apache-2.0
#include "suites/serving/monitor/window.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <random>

namespace torchgate::monitor {
namespace {

TEST(Window, IsAsASlowOneAfterAMillionValuesOfAllMagnitudes) {
  std::mt19937_64 generator(3);
  std::normal_distribution<double> normal;
  Window window(100);
  std::deque<double> kept;
  for (int i = 0; i < 1'000'000; ++i) {
    // A stream whose level moves by twelve orders of magnitude leaves rounding errors behind in naive sums.
    const double value = std::exp(14 * std::sin(i / 5000.0)) * (1 + 0.1 * normal(generator));
    window.push(value);
    kept.push_back(value);
    if (kept.size() > 100) kept.pop_front();
    if (i % 9973 != 0 || kept.size() < 100) continue;
    double mean = 0;
    for (const double each : kept) mean += each / 100;
    double squares = 0;
    for (const double each : kept) squares += (each - mean) * (each - mean);
    ASSERT_NEAR(*window.mean() / mean, 1, 1e-9) << i;
    ASSERT_NEAR(*window.sd() / std::sqrt(squares / 99), 1, 1e-6) << i;
    std::vector<double> sorted(kept.begin(), kept.end());
    std::sort(sorted.begin(), sorted.end());
    ASSERT_EQ(*window.p95(), sorted[94]);
  }
}

TEST(Window, AClearedOneHasNoEarlierValues) {
  Window window(3);
  for (const double value : {1e9, 2e9, 3e9, 4e9}) window.push(value);
  window.clear();
  EXPECT_FALSE(window.mean());
  for (const double value : {7.0, 1.0, 2.0, 3.0}) window.push(value);  // 7 has left
  EXPECT_DOUBLE_EQ(*window.mean(), 2);
  EXPECT_DOUBLE_EQ(*window.sd(), 1);
}

TEST(Window, WhatNeedsMoreValuesIsUnknown) {
  Window window(100);
  EXPECT_FALSE(window.mean());
  window.push(2);
  EXPECT_EQ(window.mean(), 2);
  EXPECT_FALSE(window.sd());
  for (int i = 1; i < 19; ++i) window.push(2);
  EXPECT_EQ(window.sd(), 0);
  EXPECT_FALSE(window.p95());
  window.push(2);
  EXPECT_EQ(window.p95(), 2);
}

}  // namespace
}  // namespace torchgate::monitor
