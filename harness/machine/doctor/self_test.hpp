// SPDX-License-Identifier: Apache-2.0
// A/A: the same work timed again and again. What this varies by, no case can see below.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace torchgate::machine::doctor {

/// Two times five short samples of each loop, in seconds, in the order they were taken.
struct SelfTest {
  struct Loop {
    std::string name;  ///< "compute", "cache", "memory"
    std::vector<double> first;
    std::vector<double> second;
  };
  std::vector<Loop> loops;
};

/// The spread of one loop: the larger coefficient of variation (SD / mean) of its two groups, in percent. Absent with fewer
/// than two samples in a group, or a mean of 0.
std::optional<double> variation_percent(const SelfTest::Loop& loop);

/// The worst loop's, absent when any is.
std::optional<double> variation_percent(const SelfTest& test);

/// Measures. A disturbance of a moment says nothing about the machine: a noisy test is repeated, at most three times, and
/// the quietest one counts.
SelfTest run_self_test();

/// The smallest non-zero step of steady_clock in 100,000 reads, in ns; absent when it never moved.
std::optional<double> timer_resolution_ns();

// measurement.md 1.3: the coefficient of variation from which timings are doubtful, and from which they are worthless.
inline constexpr double doubtful_variation_percent = 3;
inline constexpr double hopeless_variation_percent = 10;

}  // namespace torchgate::machine::doctor
