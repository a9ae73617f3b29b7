// SPDX-License-Identifier: Apache-2.0
#include "stats/same_level.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>

#include "stats/newest_level.hpp"

namespace torchgate::stats {
namespace {

// Of ten earlier runs whose noise is normal with an SD of 3 %, 1.5 % are lost with both limits (the test), of 1 % next to none.
constexpr double most_median_gaps = 6;
constexpr std::size_t fewest_gaps = 2;
// The median distance of two successive runs of normal noise is 0.95 SD, and that of any two has an SD of 1.4: 5.4 SD of it.
constexpr double most_typical_steps = 8;
// A pool of two levels, or of a trend, is a quarter of the gate off the newest run, or its values are so much apart.
constexpr double smallest_of_floor = 0.5;

double lower_median(std::vector<double> gaps) {
  const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>((gaps.size() - 1) / 2);
  std::nth_element(gaps.begin(), middle, gaps.end());
  return *middle;
}

std::vector<double> gaps_of(const std::vector<double>& sorted) {
  std::vector<double> gaps;
  for (std::size_t i = 1; i < sorted.size(); ++i) gaps.push_back(sorted[i] - sorted[i - 1]);
  return gaps;
}

struct Range {
  double low;
  double high;
};

// What no wide gap separates from the first of KNOWN.
Range without_gaps(const std::vector<double>& known, double floor) {
  std::vector<double> sorted = known;
  std::sort(sorted.begin(), sorted.end());
  const std::vector<double> gaps = gaps_of(sorted);
  const double widest = std::max(floor, most_median_gaps * lower_median(gaps));
  const auto at = static_cast<std::size_t>(std::find(sorted.begin(), sorted.end(), known.front()) - sorted.begin());
  std::size_t low = at;
  std::size_t high = at;
  while (low > 0 && gaps[low - 1] <= widest) --low;
  while (high < gaps.size() && gaps[high] <= widest) ++high;
  return {sorted[low], sorted[high]};
}

}  // namespace

std::vector<bool> same_level(std::span<const std::optional<double>> values, double floor) {
  std::vector<bool> same(values.size(), true);
  std::vector<double> known;
  for (const std::optional<double>& value : values)
    if (value) known.push_back(*value);
  if (known.size() <= fewest_gaps) return same;
  const Range range = without_gaps(known, floor);
  const auto is_near = [&](double value) { return value >= range.low && value <= range.high; };
  std::vector<double> near;
  std::copy_if(known.begin(), known.end(), std::back_inserter(near), is_near);
  const std::size_t on_level = newest_level(near, smallest_of_floor * floor);
  // Two values have no noise of their own.
  const double farthest =
      near.size() <= fewest_gaps ? range.high - range.low : std::max(floor, most_typical_steps * typical_step(near));
  std::size_t seen = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!values[i]) continue;
    same[i] = is_near(*values[i]) && seen++ < on_level && std::abs(*values[i] - known.front()) <= farthest;
  }
  return same;
}

}  // namespace torchgate::stats
