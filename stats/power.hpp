// SPDX-License-Identifier: Apache-2.0
// What:    power of the one-sample two-sided t test, and the sample size that reaches a power.
// Assumes: normal values; the effect is in units of their standard deviation.
// Source:  noncentral t [cohen-1988, chapter 2].
// Checked: tests/stats/power_test.cpp, against statsmodels TTestPower
#pragma once

#include <cstddef>
#include <optional>

namespace torchgate::stats {

/// Probability that n values (or pairs) with mean `effect` standard deviations give p < alpha. n may be fractional.
/// None when n < 2, or an argument is not finite, or alpha is not strictly between 0 and 1.
std::optional<double> power_one_sample(double effect, double n, double alpha);

/// Smallest n (values or pairs) with power_one_sample >= power; none when more than 100,000 or never.
std::optional<std::size_t> sample_size_one_sample(double effect, double alpha, double power);

}  // namespace torchgate::stats
