// SPDX-License-Identifier: Apache-2.0
#include "stats/slow_change.hpp"

#include <vector>

#include "stats/pairwise_sum.hpp"

namespace torchgate::stats {
namespace {

double squares_about(std::span<const double> values, double first, double slope) {
  std::vector<double> squares(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double left = values[i] - first - slope * static_cast<double>(i);
    squares[i] = left * left;
  }
  return pairwise_sum(squares);
}

double squares_about_levels(std::span<const double> values, const std::vector<ChangePoint>& points) {
  double sum = 0;
  std::size_t first = 0;
  for (std::size_t i = 0; i <= points.size(); ++i) {
    const std::size_t end = i == points.size() ? values.size() : points[i].index;
    const auto level = values.subspan(first, end - first);
    sum += squares_about(level, pairwise_mean(level), 0);
    first = end;
  }
  return sum;
}

}  // namespace

std::optional<double> slow_change(std::span<const double> log_values, const ChangePoints& found) {
  if (found.points.empty()) return std::nullopt;
  const auto last = static_cast<double>(log_values.size() - 1);
  const double mean = pairwise_mean(log_values);
  std::vector<double> products(log_values.size());
  for (std::size_t i = 0; i < products.size(); ++i)
    products[i] = (static_cast<double>(i) - last / 2) * (log_values[i] - mean);
  const double time_squares = last * (last + 1) * (last + 2) / 12;
  const double slope = pairwise_sum(products) / time_squares;
  const double of_line = squares_about(log_values, mean - slope * last / 2, slope);
  if (of_line >= squares_about_levels(log_values, found.points)) return std::nullopt;
  return slope * last;
}

}  // namespace torchgate::stats
