// SPDX-License-Identifier: Apache-2.0
#include "stats/slow_change.hpp"

#include <vector>

#include "stats/line.hpp"
#include "stats/pairwise_sum.hpp"

namespace torchgate::stats {
namespace {

double squares_about(std::span<const double> values, const Line& line) {
  std::vector<double> squares = residuals(values, line);
  for (double& each : squares) each *= each;
  return pairwise_sum(squares);
}

double squares_about_levels(std::span<const double> values, const std::vector<ChangePoint>& points) {
  double sum = 0;
  std::size_t first = 0;
  for (std::size_t i = 0; i <= points.size(); ++i) {
    const std::size_t end = i == points.size() ? values.size() : points[i].index;
    const auto level = values.subspan(first, end - first);
    sum += squares_about(level, {pairwise_mean(level), 0});
    first = end;
  }
  return sum;
}

}  // namespace

std::optional<double> slow_change(std::span<const double> log_values, const ChangePoints& found) {
  if (found.points.empty()) return std::nullopt;
  const Line line = line_through(log_values);
  if (squares_about(log_values, line) >= squares_about_levels(log_values, found.points)) return std::nullopt;
  return line.slope * static_cast<double>(log_values.size() - 1);
}

}  // namespace torchgate::stats
