// SPDX-License-Identifier: Apache-2.0
// The last values of a stream: mean and standard deviation in constant time per value.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace torchgate::monitor {

class Window {
 public:
  /// REQUIRES: capacity at least 2.
  explicit Window(std::size_t capacity = 100);

  void push(double value);
  /// As it was when it was made; keeps its memory.
  void clear();
  [[nodiscard]] std::size_t size() const { return values_.size(); }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  [[nodiscard]] bool is_full() const { return values_.size() == capacity_; }
  /// Absent when empty.
  [[nodiscard]] std::optional<double> mean() const;
  /// Of the sample (n - 1). Absent below two values.
  [[nodiscard]] std::optional<double> sd() const;
  /// The smallest value that is not below 95 % of them (nearest rank). Absent below 20 values, where it is the largest.
  [[nodiscard]] std::optional<double> p95() const;

 private:
  void recompute();

  std::size_t capacity_;
  std::vector<double> values_;
  std::size_t oldest_ = 0;
  // Welford's sums, with a removal for each value that leaves; computed anew once per round, so that rounding does not add up.
  double mean_ = 0;
  double squares_ = 0;
};

}  // namespace torchgate::monitor
