// SPDX-License-Identifier: Apache-2.0
#include "stats/same_level.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "stats/quantile.hpp"

namespace torchgate::stats {
namespace {

constexpr double most_sds = 4;  // of a difference: 1 of 16,000 of normal noise
constexpr std::size_t fewest_differences = 2;

}  // namespace

std::vector<bool> same_level(std::span<const std::optional<double>> values, double floor) {
  std::vector<bool> same(values.size(), true);
  std::optional<double> newest;
  std::optional<double> last;
  std::vector<double> differences;
  for (const std::optional<double>& value : values) {
    if (!value) continue;
    if (last) differences.push_back(std::abs(*value - *last));
    if (!newest) newest = value;
    last = value;
  }
  if (differences.size() < fewest_differences) return same;
  const double limit = std::max(floor, most_sds * normal_per_mad * *median(differences));
  for (std::size_t i = 0; i < values.size(); ++i) same[i] = !values[i] || std::abs(*values[i] - *newest) <= limit;
  return same;
}

}  // namespace torchgate::stats
