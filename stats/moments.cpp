// SPDX-License-Identifier: Apache-2.0
#include "stats/moments.hpp"

#include <algorithm>
#include <cmath>

namespace torchgate::stats {

void CompensatedSum::add(double value) {
  const double total = sum_ + value;
  compensation_ += std::abs(sum_) >= std::abs(value) ? (sum_ - total) + value : (value - total) + sum_;
  sum_ = total;
}

std::optional<Moments> moments(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  const auto n = static_cast<double>(values.size());
  CompensatedSum sum;
  for (double value : values) sum.add(value);
  const double mean = sum.value() / n;
  if (!std::isfinite(mean)) return std::nullopt;

  CompensatedSum squares;
  CompensatedSum residual;
  for (double value : values) {
    const double deviation = value - mean;
    squares.add(deviation * deviation);
    residual.add(deviation);
  }
  // The mean is rounded; its error is in the residual [chan-1983].
  const double sum_of_squares = squares.value() - residual.value() * residual.value() / n;
  if (!std::isfinite(sum_of_squares)) return std::nullopt;
  return Moments{values.size(), mean, std::max(0.0, sum_of_squares)};
}

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

}  // namespace torchgate::stats
