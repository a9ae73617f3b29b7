// SPDX-License-Identifier: Apache-2.0
#include "stats/same_level.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace torchgate::stats {
namespace {

// Of ten earlier runs whose noise is normal with an SD of 3 %, 1.5 % are lost with both limits (the test), of 1 % next to none.
constexpr double most_median_gaps = 6;
constexpr std::size_t fewest_gaps = 2;
// The median distance of two successive runs of normal noise is 0.95 SD, and that of any two has an SD of 1.4: 5.4 SD of it.
constexpr double most_median_steps = 8;

double lower_median(std::vector<double> gaps) {
  const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>((gaps.size() - 1) / 2);
  std::nth_element(gaps.begin(), middle, gaps.end());
  return *middle;
}

std::vector<double> steps_of(const std::vector<double>& values) {
  std::vector<double> steps;
  for (std::size_t i = 1; i < values.size(); ++i) steps.push_back(std::abs(values[i] - values[i - 1]));
  return steps;
}

}  // namespace

std::vector<bool> same_level(std::span<const std::optional<double>> values, double floor) {
  std::vector<bool> same(values.size(), true);
  std::vector<double> known;
  for (const std::optional<double>& value : values)
    if (value) known.push_back(*value);
  if (known.size() <= fewest_gaps) return same;
  const double newest = known.front();
  const double farthest = std::max(floor, most_median_steps * lower_median(steps_of(known)));
  std::vector<double> sorted = known;
  std::sort(sorted.begin(), sorted.end());
  const std::vector<double> gaps = steps_of(sorted);
  const double widest = std::max(floor, most_median_gaps * lower_median(gaps));
  const auto at = static_cast<std::size_t>(std::find(sorted.begin(), sorted.end(), newest) - sorted.begin());
  std::size_t low = at;
  std::size_t high = at;
  while (low > 0 && gaps[low - 1] <= widest) --low;
  while (high < gaps.size() && gaps[high] <= widest) ++high;
  for (std::size_t i = 0; i < values.size(); ++i)
    same[i] = !values[i] ||
              (*values[i] >= sorted[low] && *values[i] <= sorted[high] && std::abs(*values[i] - newest) <= farthest);
  return same;
}

}  // namespace torchgate::stats
