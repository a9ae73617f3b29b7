// SPDX-License-Identifier: Apache-2.0
#include "stats/mann_kendall.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace torchgate::stats {
namespace {

// The probability that a random order of COUNT values has at most MOST inversions.
double at_most_inversions(std::size_t count, std::size_t most) {
  std::vector<double> probability(most + 1);
  probability[0] = 1.0;
  for (std::size_t size = 2; size <= count; ++size) {
    std::vector<double> next(most + 1);
    double window = 0.0;  // the value that is added makes 0 to size - 1 inversions more, each as likely
    for (std::size_t i = 0; i <= most; ++i) {
      window += probability[i];
      if (i >= size) window -= probability[i - size];
      next[i] = std::max(window, 0.0) / static_cast<double>(size);
    }
    probability = std::move(next);
  }
  double sum = 0.0;
  for (const double one : probability) sum += one;
  return sum;
}

}  // namespace

double mann_kendall_p(std::span<const double> values) {
  std::size_t rising = 0;
  std::size_t falling = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = i + 1; j < values.size(); ++j) {
      if (values[j] > values[i]) ++rising;
      if (values[j] < values[i]) ++falling;
    }
  }
  const std::size_t difference = std::max(rising, falling) - std::min(rising, falling);
  if (difference == 0) return 1.0;
  const std::size_t pairs = values.size() * (values.size() - 1) / 2;
  return std::min(1.0, 2.0 * at_most_inversions(values.size(), (pairs - difference) / 2));
}

}  // namespace torchgate::stats
