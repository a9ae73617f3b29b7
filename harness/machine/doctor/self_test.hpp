// SPDX-License-Identifier: Apache-2.0
// A/A test: the same work timed repeatedly. Changes smaller than its variation cannot be detected in any case.
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

/// The largest of all loops; absent if any of them is.
std::optional<double> variation_percent(const SelfTest& test);

/// Runs the test. A short disturbance is not a property of the machine: a noisy test is repeated, at most three
/// times, and the quietest one is used.
SelfTest run_self_test();

/// The smallest non-zero step of steady_clock in 100,000 reads, in ns; absent when it never moved.
std::optional<double> timer_resolution_ns();

// The coefficient of variation of repetitions from which timings are doubtful (a change of 5 % is two of them), and useless.
inline constexpr double doubtful_variation_percent = 3;
inline constexpr double hopeless_variation_percent = 10;

}  // namespace torchgate::machine::doctor
