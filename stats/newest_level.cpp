// SPDX-License-Identifier: Apache-2.0
#include "stats/newest_level.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "stats/change_point_null.hpp"
#include "stats/change_split.hpp"
#include "stats/line.hpp"
#include "stats/mann_kendall.hpp"
#include "stats/pairwise_sum.hpp"
#include "stats/quantile.hpp"

namespace torchgate::stats {
namespace {

constexpr std::size_t most_tested = 60;  // as in change_point.cpp: an old level is not evidence about the newest one
constexpr std::size_t fewest_for_step = 3;
constexpr std::size_t fewest_for_gap = 6;
constexpr double wide_median_gaps = 6;
constexpr double normal_typical_step = 0.9539;  // .6745 sqrt(2)

double sum_of_squares(std::span<const double> values) {
  std::vector<double> squares;
  squares.reserve(values.size());
  for (const double value : values) squares.push_back(value * value);
  return pairwise_sum(squares);
}

// What a description of the values is, and the sum of squares that it leaves.
struct Segments {
  std::size_t newest = 0;  // values on the newest one
  double left = 0;
};

struct Slope {
  double each = 0;  // from a value to the next
  double left = 0;
};

// Of all pairs of values the median slope.
double slope_of(std::span<const double> values) {
  std::vector<double> slopes;
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = i + 1; j < values.size(); ++j)
      slopes.push_back((values[j] - values[i]) / static_cast<double>(j - i));
  return median(slopes).value_or(0.0);
}

double sum_about_mean(std::span<const double> values) {
  return sum_of_squares(residuals(values, {pairwise_mean(values), 0.0}));
}

// The values before the step; absent: none.
std::optional<std::size_t> step_in(std::span<const double> values, double smallest) {
  const std::size_t n = values.size();
  if (n < null_smallest_n) return std::nullopt;
  std::size_t best = 0;
  double least = 0;
  for (std::size_t at = smallest_segment; at + smallest_segment <= n; ++at) {
    const double left = sum_about_mean(values.first(at)) + sum_about_mean(values.subspan(at));
    if (best == 0 || left < least) best = at, least = left;
  }
  const double size = std::abs(pairwise_mean(values.first(best)) - pairwise_mean(values.subspan(best)));
  if (size < smallest) return std::nullopt;
  const double between = sum_about_mean(values) - least;
  const double t = std::sqrt(between * static_cast<double>(n - 2) / least);
  const auto p = null_p(NullStatistic::pooled_t, n, t);
  return p && *p <= other_level_alpha ? std::optional(best) : std::nullopt;
}

Segments segments_in(std::span<const double> values, double smallest) {
  const auto at = step_in(values, smallest);
  if (!at) return {values.size(), sum_about_mean(values)};
  const Segments newer = segments_in(values.first(*at), smallest);
  return {newer.newest, newer.left + segments_in(values.subspan(*at), smallest).left};
}

// Two to three newest values are too few for a test. They are a level where no older value is within so many median gaps of theirs.
std::size_t before_clear_step(std::span<const double> values, double smallest) {
  if (values.size() < fewest_for_gap) return values.size();
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> gaps;
  for (std::size_t i = 1; i < sorted.size(); ++i) gaps.push_back(sorted[i] - sorted[i - 1]);
  const double wide = std::max(smallest, wide_median_gaps * median(gaps).value_or(0.0));
  for (std::size_t at = 2; at < smallest_segment; ++at) {
    const auto [low_new, high_new] = std::ranges::minmax(values.first(at));
    const auto [low_old, high_old] = std::ranges::minmax(values.subspan(at));
    if (std::max(low_old - high_new, low_new - high_old) > wide) return at;
  }
  return values.size();
}

std::optional<Slope> trend_in(std::span<const double> values, double smallest) {
  const double slope = slope_of(values);
  if (std::abs(slope) * static_cast<double>(values.size() - 1) < smallest) return std::nullopt;
  if (mann_kendall_p(values) > other_level_alpha) return std::nullopt;
  return Slope{slope, sum_of_squares(residuals(values, line_through(values)))};
}

}  // namespace

double typical_step(std::span<const double> values) {
  if (values.size() < fewest_for_step) return 0.0;
  const double slope = slope_of(values);
  std::vector<double> steps;
  for (std::size_t i = 1; i < values.size(); ++i) steps.push_back(std::abs(values[i] - values[i - 1] - slope));
  return median(steps).value_or(0.0);
}

std::size_t newest_level(std::span<const double> values, double smallest) {
  const std::size_t all = std::min(values.size(), most_tested);
  std::span<const double> left = values.first(all);
  left = left.first(before_clear_step(left, smallest));
  for (;;) {
    const Segments segments = segments_in(left, smallest);
    const auto trend = trend_in(left, smallest);
    if (trend && trend->left <= segments.left) {
      const double moved = typical_step(left) / normal_typical_step / std::abs(trend->each);
      return 1 + static_cast<std::size_t>(std::min(moved, static_cast<double>(left.size() - 1)));
    }
    if (segments.newest == left.size()) break;
    left = left.first(segments.newest);
  }
  return left.size() < all ? left.size() : values.size();
}

}  // namespace torchgate::stats
