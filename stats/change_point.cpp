// SPDX-License-Identifier: Apache-2.0
#include "stats/change_point.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "stats/change_split.hpp"
#include "stats/hampel.hpp"
#include "stats/moments.hpp"
#include "stats/pairwise_sum.hpp"
#include "stats/quantile.hpp"

namespace torchgate::stats {
namespace {

constexpr std::size_t window = 60;  // runs searched at once: an old level is not evidence about the newest one
constexpr std::size_t window_step = window / 2;
constexpr double largest_phi = 0.9;  // above it no change could ever be found
constexpr double kendall_per_phi = 3;
constexpr double worth_a_second_pass = 1.1;  // of the variance of a mean: below, both passes give the same result

// The best split of the whole range, or of the windows that cover it; among equally significant ones the largest t, then
// the first.
Split best_in_range(std::span<const double> values, std::size_t low, std::size_t high, double inflation) {
  Split best{high, 0, 2};
  const auto look = [&](std::size_t first, std::size_t last) {
    Split split = best_split(values.subspan(first, last - first), inflation);
    split.at += first;
    if (std::tuple(split.p, -split.t, split.at) < std::tuple(best.p, -best.t, best.at)) best = split;
  };
  if (high - low <= window) {
    look(low, high);
    return best;
  }
  for (std::size_t first = low; first + window < high; first += window_step) look(first, first + window);
  look(high - window, high);
  return best;
}

std::vector<std::size_t> segment(std::span<const double> values, double inflation, double alpha) {
  std::vector<std::size_t> changes;
  std::vector<std::pair<std::size_t, std::size_t>> ranges{{0, values.size()}};
  while (!ranges.empty()) {
    const auto [low, high] = ranges.back();
    ranges.pop_back();
    if (high - low < 2 * smallest_segment) continue;
    const Split split = best_in_range(values, low, high, inflation);
    if (split.p > alpha) continue;
    changes.push_back(split.at);
    ranges.emplace_back(low, split.at);
    ranges.emplace_back(split.at, high);
  }
  std::sort(changes.begin(), changes.end());
  return changes;
}

// Pooled over the segments, each about its own mean.
double autocorrelation_inside(std::span<const double> values, const std::vector<std::size_t>& changes) {
  double products = 0;
  double squares = 0;
  for (std::size_t i = 0; i <= changes.size(); ++i) {
    const std::size_t first = i == 0 ? 0 : changes[i - 1];
    const std::size_t end = i == changes.size() ? values.size() : changes[i];
    const auto part = values.subspan(first, end - first);
    const double mean = pairwise_mean(part);
    std::vector<double> neighbours(part.size() - 1);
    std::vector<double> own(part.size());
    for (std::size_t j = 0; j < part.size(); ++j) {
      own[j] = (part[j] - mean) * (part[j] - mean);
      if (j > 0) neighbours[j - 1] = (part[j] - mean) * (part[j - 1] - mean);
    }
    products += pairwise_sum(neighbours);
    squares += pairwise_sum(own);
  }
  if (squares <= 0) return 0;
  const double phi = products / squares;
  const auto segments = static_cast<double>(changes.size() + 1);
  const double bias = (1 + kendall_per_phi * std::max(phi, 0.0)) * segments / static_cast<double>(values.size());
  return std::clamp(phi + bias, 0.0, largest_phi);
}

class Merger {
 public:
  Merger(std::span<const double> values, const std::vector<std::size_t>& changes, double inflation,
         const ChangePointOptions& options)
      : values_(values), inflation_(inflation), alpha_(options.alpha), margin_(std::log1p(options.smallest_magnitude)) {
    for (const std::size_t change : changes) points_.push_back({change, 0, 0, 1});
    for (std::size_t i = 0; i < points_.size(); ++i) measure(i);
  }

  std::vector<ChangePoint> merged() {
    for (auto weakest = weakest_failing(); weakest != points_.end(); weakest = weakest_failing()) {
      const auto gone = static_cast<std::size_t>(weakest - points_.begin());
      points_.erase(weakest);
      if (gone > 0) measure(gone - 1);
      if (gone < points_.size()) measure(gone);
    }
    return points_;
  }

 private:
  // Both levels around a change, as far as the neighbouring changes and a window reach.
  void measure(std::size_t i) {
    ChangePoint& point = points_[i];
    const std::size_t previous = i == 0 ? 0 : points_[i - 1].index;
    const std::size_t next = i + 1 == points_.size() ? values_.size() : points_[i + 1].index;
    const std::size_t first = std::max(previous, point.index - std::min(point.index, window));
    const std::size_t end = std::min(next, point.index + window);
    const auto before = values_.subspan(first, point.index - first);
    const auto after = values_.subspan(point.index, end - point.index);
    point.before = median(before).value_or(0);
    point.after = median(after).value_or(0);
    point.p = split_p(before, after, inflation_);
  }

  [[nodiscard]] static double magnitude(const ChangePoint& point) { return std::abs(point.after - point.before); }
  [[nodiscard]] bool large_enough(const ChangePoint& point) const { return magnitude(point) >= margin_; }
  [[nodiscard]] bool fails(const ChangePoint& point) const { return !large_enough(point) || point.p > alpha_; }

  // Removes those that are too small first, then the least significant, then the smallest.
  [[nodiscard]] std::vector<ChangePoint>::iterator weakest_failing() {
    const auto strength = [this](const ChangePoint& point) {
      return std::tuple(!fails(point), large_enough(point), -point.p, magnitude(point));
    };
    const auto weakest = std::min_element(points_.begin(), points_.end(),
                                          [&](const auto& a, const auto& b) { return strength(a) < strength(b); });
    return weakest != points_.end() && fails(*weakest) ? weakest : points_.end();
  }

  std::span<const double> values_;
  double inflation_;
  double alpha_;
  double margin_;
  std::vector<ChangePoint> points_;
};

std::vector<std::string> reasons_not_to_search(std::span<const double> values, const ChangePointOptions& options) {
  std::vector<std::string> reasons;
  if (!(options.alpha >= change_point_smallest_alpha && options.alpha <= change_point_largest_alpha)) {
    reasons.emplace_back("alpha has to be between 0.0001 and 0.05: the null distribution is known from 20,000 draws");
  }
  if (!(options.smallest_magnitude >= 0) || !std::isfinite(options.smallest_magnitude)) {
    reasons.emplace_back("the smallest magnitude has to be a finite number that is not negative");
  }
  if (values.size() < change_point_fewest_runs) {
    reasons.emplace_back("a level change needs at least 8 runs, four on each side");
  } else if (!all_finite(values)) {
    reasons.emplace_back("a run value is not a finite number");
  } else if (!moments(values)) {
    reasons.emplace_back("the run values are too large for their squares to be added up");
  }
  return reasons;
}

}  // namespace

ChangePoints find_change_points(std::span<const double> log_values, const ChangePointOptions& options) {
  ChangePoints found;
  found.reasons = reasons_not_to_search(log_values, options);
  if (!found.reasons.empty()) return found;
  found.searched = true;
  Filtered filtered = hampel_filter(log_values);
  found.outliers = std::move(filtered.outliers);

  double inflation = 1;
  std::vector<std::size_t> changes = segment(filtered.values, inflation, options.alpha);
  if (!changes.empty()) {
    found.autocorrelation = autocorrelation_inside(filtered.values, changes);
    inflation = (1 + found.autocorrelation) / (1 - found.autocorrelation);
    if (inflation > worth_a_second_pass) changes = segment(filtered.values, inflation, options.alpha);
  }
  found.points = Merger(filtered.values, changes, inflation, options).merged();
  return found;
}

}  // namespace torchgate::stats
