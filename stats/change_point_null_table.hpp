// SPDX-License-Identifier: Apache-2.0
// What:    the table behind change_point_null.hpp: order statistics of the simulated nulls. Private to the .cpp files.
// Assumes: -
// Source:  tests/oracles/stats/make_change_point_null.py, which also says how a knot is written.
// Checked: tests/stats/change_point_null_test.cpp
#pragma once

#include <cstddef>
#include <string_view>

#include "stats/null_statistic.hpp"

namespace torchgate::stats {

inline constexpr double null_draws = 20000;

/// The `count`-th largest draw.
struct NullKnot {
  double count = 0;
  double value = 0;
};

/// Some of the draws, from the largest to the smallest, both of them included.
class NullKnots {
 public:
  explicit NullKnots(std::string_view text) : text_(text) {}

  [[nodiscard]] std::size_t size() const { return text_.size() / (count_digits + value_digits); }
  /// REQUIRES: i < size().
  [[nodiscard]] NullKnot operator[](std::size_t i) const {
    const std::string_view knot = text_.substr(i * (count_digits + value_digits), count_digits + value_digits);
    return {number(knot.substr(0, count_digits)), number(knot.substr(count_digits)) / units_per_one};
  }

 private:
  static constexpr std::size_t count_digits = 3;
  static constexpr std::size_t value_digits = 4;
  static constexpr double units_per_one = 1e6;
  static constexpr std::string_view digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/";

  static double number(std::string_view text) {
    double sum = 0;
    for (const char digit : text)
      sum = sum * static_cast<double>(digits.size()) + static_cast<double>(digits.find(digit));
    return sum;
  }

  std::string_view text_;
};

/// Empty for an n outside the table.
NullKnots null_knots(NullStatistic statistic, std::size_t n);

}  // namespace torchgate::stats
