// SPDX-License-Identifier: Apache-2.0
// What:    order statistics of all Walsh averages (d_i + d_j)/2, i <= j, of a sample. The Hodges-Lehmann estimate and
//          the interval of the signed-rank test are among them.
// Assumes: finite values.
// Source:  the averages themselves [hollander-wolfe-chicken-2014, chapter 3]. More than `materialised_up_to` are not
//          stored: in sorted rows, counting those below a value takes O(n), so the k-th is found by bisection over
//          doubles.
// Checked: tests/stats/hodges_lehmann_test.cpp, both ways on the same input, and a double loop
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace torchgate::stats {

/// The sorted list of Walsh averages, without necessarily storing it. A million values have 5e11.
class WalshAverages {
 public:
  /// Above this many averages they are counted instead of stored (50 values have 1275).
  static constexpr std::size_t materialised_up_to = 2048;

  explicit WalshAverages(std::span<const double> values, std::size_t materialise = materialised_up_to);
  [[nodiscard]] std::size_t size() const { return size_; }
  /// The k-th smallest, k from 1 to size(). REQUIRES: 1 <= k <= size().
  /// Not const: a stored list is partly sorted on the way.
  [[nodiscard]] double order_statistic(std::size_t k);
  /// REQUIRES: size() > 0.
  [[nodiscard]] double median();

 private:
  [[nodiscard]] std::size_t count_up_to(double limit) const;
  std::vector<double> sorted_;    // the values
  std::vector<double> averages_;  // in no order; empty when they are counted
  std::size_t size_ = 0;
};

}  // namespace torchgate::stats
