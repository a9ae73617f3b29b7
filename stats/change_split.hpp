// SPDX-License-Identifier: Apache-2.0
// What:    the best place to split a series into two levels, and its p.
// Assumes: as change_point.hpp, which uses it. Private to the .cpp files.
// Source:  as change_point.hpp
// Checked: through tests/stats/change_point_test.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>

namespace torchgate::stats {

/// Values on each side of a split.
inline constexpr std::size_t smallest_segment = 4;

struct Split {
  std::size_t at = 0;  ///< first value after the split
  double t = 0;        ///< pooled t there: the largest of all splits
  double p = 1;        ///< larger one of the p-values of both maxima
};

/// The best splits of parts of one series. The searches look at many parts again, with another inflation or without the newest values:
/// what a part has is computed once.
class Splits {
 public:
  /// VALUES have to outlive this.
  explicit Splits(std::span<const double> values) : values_(values) {}

  /// Of the values [first, end); `at` counts from the first value of the series. `inflation`: variance of a mean of correlated values over
  /// that of independent ones, (1 + phi) / (1 - phi). REQUIRES: 8 to 120 values.
  [[nodiscard]] Split best(std::size_t first, std::size_t end, double inflation);

 private:
  struct Largest {
    std::size_t at = 0;
    double t = 0;
    double rank_cusum = 0;
  };
  [[nodiscard]] static Largest largest(std::span<const double> part);

  std::span<const double> values_;
  std::unordered_map<std::uint64_t, Largest> known_;
};

/// p of the given split as if it were the best one of these values, by both tests.
double split_p(std::span<const double> before, std::span<const double> after, double inflation);

/// The same by the rank test alone, divided by the root of `inflation` as t is.
double rank_split_p(std::span<const double> before, std::span<const double> after, double inflation);

}  // namespace torchgate::stats
