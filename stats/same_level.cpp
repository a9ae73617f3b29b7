// SPDX-License-Identifier: Apache-2.0
#include "stats/same_level.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>

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
// A slow-down that was merged, and its repair. A machine of two states with half of the runs in each changes once or twice in 22 % of series of
// eight runs, and in 3 % of twelve.
constexpr std::size_t most_changes = 2;

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

  [[nodiscard]] bool contains(double value) const { return value >= low && value <= high; }
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

// Values on both sides of a gap in turns are the noise of a machine of two states (two modes, a coarse clock), and not two levels.
bool takes_turns(std::span<const double> known, const Range& range) {
  std::size_t changes = 0;
  for (std::size_t i = 1; i < known.size(); ++i)
    if (range.contains(known[i]) != range.contains(known[i - 1])) ++changes;
  return changes > most_changes;
}

constexpr Range everything{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};

// What no wide gap separates from the first of KNOWN, where that ends a level.
Range gap_range(const std::vector<double>& known, double floor) {
  const Range range = without_gaps(known, floor);
  return takes_turns(known, range) ? everything : range;
}

// What lies near the first of KNOWN in steps from run to run, where that ends a level of the first ON_LEVEL.
Range step_range(std::span<const double> known, std::size_t on_level, double floor) {
  if (known.size() <= fewest_gaps) return everything;  // two values have no noise of their own
  const double farthest = std::max(floor, most_typical_steps * typical_step(known));
  const Range range{known.front() - farthest, known.front() + farthest};
  return takes_turns(known.first(std::min(on_level, known.size())), range) ? everything : range;
}

}  // namespace

std::vector<bool> same_level(std::span<const std::optional<double>> values, double floor) {
  std::vector<bool> same(values.size(), true);
  std::vector<double> known;
  for (const std::optional<double>& value : values)
    if (value) known.push_back(*value);
  if (known.size() <= fewest_gaps) return same;
  const Range near_range = gap_range(known, floor);
  std::vector<double> near;
  std::copy_if(known.begin(), known.end(), std::back_inserter(near),
               [&](double value) { return near_range.contains(value); });
  const std::size_t on_level = newest_level(near, smallest_of_floor * floor);
  const Range typical = step_range(near, on_level, floor);
  std::size_t seen = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!values[i]) continue;
    same[i] = near_range.contains(*values[i]) && seen++ < on_level && typical.contains(*values[i]);
  }
  return same;
}

}  // namespace torchgate::stats
