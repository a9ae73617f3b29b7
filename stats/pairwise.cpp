// SPDX-License-Identifier: Apache-2.0
#include "stats/pairwise.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace torchgate::stats {
namespace {

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

// Finite doubles in ascending order as unsigned integers in ascending order; -0 and +0 are the same.
std::uint64_t rank_of(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return (bits & sign_bit) != 0 ? sign_bit - (bits ^ sign_bit) : sign_bit + bits;
}

double at_rank(std::uint64_t rank) {
  return std::bit_cast<double>(rank >= sign_bit ? rank - sign_bit : sign_bit | (sign_bit - rank));
}

// Smallest double v in [low, high] with count_up_to(v) >= k. When the counted things are doubles, v is the k-th
// smallest.
template <class Count>
double bisect(double low, double high, std::size_t k, Count count_up_to) {
  std::uint64_t first = rank_of(low);
  std::uint64_t last = rank_of(high);
  while (first < last) {
    const std::uint64_t middle = first + (last - first) / 2;
    if (count_up_to(at_rank(middle)) >= k) {
      last = middle;
    } else {
      first = middle + 1;
    }
  }
  return at_rank(first);
}

double select(std::vector<double>& list, std::size_t k) {
  const auto wanted = list.begin() + static_cast<std::ptrdiff_t>(k - 1);
  std::nth_element(list.begin(), wanted, list.end());
  return *wanted;
}

double average(double a, double b) {
  return a / 2.0 + b / 2.0;
}

std::vector<double> sorted_copy(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

}  // namespace

WalshAverages::WalshAverages(std::span<const double> values, std::size_t materialise)
    : sorted_(sorted_copy(values)), size_(values.size() * (values.size() + 1) / 2) {
  if (size_ > materialise) return;
  averages_.reserve(size_);
  for (std::size_t i = 0; i < sorted_.size(); ++i) {
    for (std::size_t j = i; j < sorted_.size(); ++j) averages_.push_back(average(sorted_[i], sorted_[j]));
  }
}

std::size_t WalshAverages::count_up_to(double limit) const {
  // Row i holds the averages of sorted_[i] with itself and everything above; `reach` only moves down as i moves up.
  std::size_t count = 0;
  std::size_t reach = sorted_.size();
  for (std::size_t i = 0; i < sorted_.size(); ++i) {
    while (reach > i && average(sorted_[i], sorted_[reach - 1]) > limit) --reach;
    if (reach <= i) break;
    count += reach - i;
  }
  return count;
}

double WalshAverages::order_statistic(std::size_t k) {
  if (!averages_.empty()) return select(averages_, k);
  return bisect(sorted_.front(), sorted_.back(), k, [this](double limit) { return count_up_to(limit); });
}

double WalshAverages::median() {
  const std::size_t middle = (size_ + 1) / 2;
  const double lower = order_statistic(middle);
  if (size_ % 2 == 1) return lower;
  return average(lower, order_statistic(middle + 1));
}

}  // namespace torchgate::stats
