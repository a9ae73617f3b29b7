// SPDX-License-Identifier: Apache-2.0
#include "stats/same_level.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <optional>

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

// Whether CURRENT may be noise about one of VALUES, and not a level of its own.
bool is_near(const std::optional<double>& current, std::span<const double> values, double floor) {
  return current &&
         std::any_of(values.begin(), values.end(), [&](double value) { return std::abs(value - *current) <= floor; });
}

std::size_t changes_in(std::span<const std::size_t> groups) {
  std::size_t changes = 0;
  for (std::size_t i = 1; i < groups.size(); ++i)
    if (groups[i] != groups[i - 1]) ++changes;
  return changes;
}

// For each of KNOWN, the place of its group among those that wide gaps separate.
std::vector<std::size_t> groups_of(const std::vector<double>& known, double floor) {
  std::vector<double> sorted = known;
  std::sort(sorted.begin(), sorted.end());
  const std::vector<double> gaps = gaps_of(sorted);
  const double widest = std::max(floor, most_median_gaps * lower_median(gaps));
  std::vector<double> begins;  // of the groups but the first
  for (std::size_t i = 0; i < gaps.size(); ++i)
    if (gaps[i] > widest) begins.push_back(sorted[i + 1]);
  std::vector<std::size_t> groups;
  for (const double value : known) {
    const auto next = std::upper_bound(begins.begin(), begins.end(), value);
    groups.push_back(static_cast<std::size_t>(next - begins.begin()));
  }
  return groups;
}

// The groups of the first value and of those that came between its values: not an older level.
std::vector<std::size_t> groups_between(const std::vector<std::size_t>& groups) {
  std::vector<std::size_t> between{groups.front()};
  for (std::size_t group = 0; group <= *std::max_element(groups.begin(), groups.end()); ++group) {
    std::vector<std::size_t> with_first;
    std::copy_if(groups.begin(), groups.end(), std::back_inserter(with_first),
                 [&](std::size_t each) { return each == groups.front() || each == group; });
    if (changes_in(with_first) > 1) between.push_back(group);
  }
  return between;
}

// Which of KNOWN no wide gap separates from the first one. Values on both sides of a gap in turns are the noise of a machine of two states (two modes, a
// coarse clock), and not two levels, for a CURRENT value in one of them.
std::vector<bool> without_gaps(const std::vector<double>& known, double floor, std::optional<double> current) {
  const std::vector<std::size_t> groups = groups_of(known, floor);
  const std::vector<std::size_t> between = groups_between(groups);
  std::vector<bool> in_turns;
  std::vector<double> values;
  std::vector<std::size_t> sides;  // 0: of the first, 1: of another one
  for (std::size_t i = 0; i < known.size(); ++i) {
    in_turns.push_back(std::find(between.begin(), between.end(), groups[i]) != between.end());
    if (!in_turns.back()) continue;
    values.push_back(known[i]);
    sides.push_back(groups[i] == groups.front() ? 0 : 1);
  }
  if (changes_in(sides) > most_changes && is_near(current, values, floor)) return in_turns;
  std::vector<bool> same(groups.size());
  std::transform(groups.begin(), groups.end(), same.begin(),
                 [&](std::size_t group) { return group == groups.front(); });
  return same;
}

struct Range {
  double low;
  double high;

  [[nodiscard]] bool contains(double value) const { return value >= low && value <= high; }
};

constexpr Range everything{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};

// What lies near the first of KNOWN in steps from run to run, where that ends a level of the first ON_LEVEL.
Range step_range(std::span<const double> known, std::size_t on_level, double floor, std::optional<double> current) {
  if (known.size() <= fewest_gaps) return everything;  // two values have no noise of their own
  const double farthest = std::max(floor, most_typical_steps * typical_step(known));
  const Range range{known.front() - farthest, known.front() + farthest};
  std::vector<std::size_t> sides;
  for (const double value : known.first(std::min(on_level, known.size())))
    sides.push_back(range.contains(value) ? 0 : 1);
  return changes_in(sides) > most_changes && is_near(current, known, floor) ? everything : range;
}

}  // namespace

std::vector<bool> same_level(std::span<const std::optional<double>> values, double floor,
                             std::optional<double> current) {
  std::vector<bool> same(values.size(), true);
  std::vector<double> known;
  for (const std::optional<double>& value : values)
    if (value) known.push_back(*value);
  if (known.size() <= fewest_gaps) return same;
  const std::vector<bool> is_near_known = without_gaps(known, floor, current);
  std::vector<double> near;
  for (std::size_t i = 0; i < known.size(); ++i)
    if (is_near_known[i]) near.push_back(known[i]);
  const std::size_t on_level = newest_level(near, smallest_of_floor * floor);
  const Range typical = step_range(near, on_level, floor, current);
  std::size_t place = 0;
  std::size_t seen = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!values[i]) continue;
    same[i] = is_near_known[place++] && seen++ < on_level && typical.contains(*values[i]);
  }
  return same;
}

}  // namespace torchgate::stats
