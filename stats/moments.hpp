// SPDX-License-Identifier: Apache-2.0
// What:    count, mean and sum of squared deviations of a sample.
// Assumes: nothing about the distribution.
// Source:  two passes [chan-1983]; every sum is compensated [neumaier-1974], so that the result is right to the last
//          digits on the NIST sets and does not depend on the order of the values. One-pass sums of squares are not
//          used: they lose every digit on NumAcc4.
// Checked: tests/stats/summary_test.cpp, against the certified values of the NIST StRD sets
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace torchgate::stats {

/// Sum with a running compensation for what rounding lost [neumaier-1974].
class CompensatedSum {
 public:
  void add(double value);
  [[nodiscard]] double value() const { return sum_ + compensation_; }

 private:
  double sum_ = 0.0;
  double compensation_ = 0.0;
};

struct Moments {
  std::size_t n = 0;
  double mean = 0.0;
  double sum_of_squares = 0.0;  ///< of the deviations from the mean, in squared units of the values

  /// Sample variance with n-1; none below two values.
  [[nodiscard]] std::optional<double> variance() const {
    if (n < 2) return std::nullopt;
    return sum_of_squares / static_cast<double>(n - 1);
  }
};

/// None when `values` is empty, holds a NaN or an infinity, or its sum of squares does not fit a double.
std::optional<Moments> moments(std::span<const double> values);

/// True when every value is a finite number (true for no values).
bool all_finite(std::span<const double> values);

}  // namespace torchgate::stats
