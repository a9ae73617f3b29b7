// SPDX-License-Identifier: Apache-2.0
#include "stats/hampel.hpp"

#include <algorithm>
#include <cmath>

#include "stats/quantile.hpp"

namespace torchgate::stats {
namespace {

constexpr std::size_t reach = 3;     // values on each side
constexpr std::size_t fewest = 2;    // a median of fewer is not robust
constexpr double spreads = 4.0;      // at 4 a normal value is replaced once in 16,000
constexpr double no_spread = 1e-12;  // log units; keeps equal values from being each other's outliers

double middle(std::span<const double> values) {
  return median(values).value_or(0);
}

double neighbour_spread(std::span<const double> values) {
  if (values.size() < 2) return no_spread;
  std::vector<double> steps(values.size() - 1);
  for (std::size_t i = 0; i + 1 < values.size(); ++i) steps[i] = values[i + 1] - values[i];
  const double centre = middle(steps);
  for (double& step : steps) step = std::abs(step - centre);
  return normal_per_mad * middle(steps) / std::sqrt(2.0) + no_spread;
}

}  // namespace

Filtered hampel_filter(std::span<const double> values) {
  Filtered filtered{{values.begin(), values.end()}, {}};
  const double limit = spreads * neighbour_spread(values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t first = i - std::min(i, reach);
    const auto before = values.subspan(first, i - first);
    const auto after = values.subspan(i + 1, std::min(reach, values.size() - i - 1));
    if (before.size() < fewest || after.size() < fewest) continue;
    const double left = middle(before);
    const double right = middle(after);
    if (values[i] >= std::min(left, right) - limit && values[i] <= std::max(left, right) + limit) continue;
    std::vector<double> neighbours(before.begin(), before.end());
    neighbours.insert(neighbours.end(), after.begin(), after.end());
    filtered.values[i] = middle(neighbours);
    filtered.outliers.push_back(i);
  }
  return filtered;
}

}  // namespace torchgate::stats
