// SPDX-License-Identifier: Apache-2.0
#include "stats/change_point.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "stats/change_point_null.hpp"
#include "stats/change_split.hpp"
#include "stats/hampel.hpp"
#include "stats/line.hpp"
#include "stats/moments.hpp"
#include "stats/pairwise_sum.hpp"
#include "stats/quantile.hpp"

namespace torchgate::stats {
namespace {

constexpr std::size_t window = 60;  // runs searched at once: an old level is not evidence about the newest one
constexpr std::size_t window_step = window / 2;
// A level between two others that are alike has no single split: of 20, 20 and 20 runs with slower ones in the middle the best split of all is seldom
// significant, however much slower they are (change_point_test.cpp).
constexpr std::size_t short_window = window / 2;
constexpr std::size_t short_window_step = short_window / 3;
constexpr double largest_phi = 0.9;  // above it no change could ever be found
// The estimate of phi from n values about their own trend is too small by (2 + 4 phi) / n, the bias correction of [kendall-1954] for two fitted
// numbers. One more for the place of the split, where neighbours differ most: without it, up to 2.2 % and not 1.7 % of series of 20 to 40 runs with
// a lag-1 correlation of .5 have a false change (tests/stats/change_point_rates_test.cpp).
constexpr double bias_of_none = 3;
constexpr double bias_per_phi = 4;
constexpr double worth_a_second_pass = 1.1;     // of the variance of a mean: below, both passes give the same result
constexpr std::size_t too_few_for_a_level = 5;  // about six runs are a level at alpha .001 among 60 (README, "History")
// The five additional searches share one more alpha (Bonferroni). They see nearly the same values, so that they add a tenth to the share of
// false series and not all of it; at all of alpha each, they would add two thirds where runs are correlated. The short windows of a range have the same
// share (their rates: tests/stats/change_point_rates_test.cpp).
constexpr double share_of_alpha = 1.0 / static_cast<double>(too_few_for_a_level);
// Of all values: more were replaced because they are a rarer state of the machine. Their correlation says how long it lasts; that of two or three
// outliers in a row would hide changes (well_log, known_change_test.cpp).
constexpr double most_outliers = 0.1;
constexpr std::size_t same_change = 2 * smallest_segment;  // two searches may place one change less far apart

struct Windows {
  std::size_t size;
  std::size_t step;
};

// The best split of the whole range, or of the windows that cover it; among equally significant ones the largest t, then
// the first.
Split best_in_windows(Splits& splits, std::size_t low, std::size_t high, const Windows& windows, double inflation) {
  Split best{high, 0, 2};
  const auto look = [&](std::size_t first, std::size_t end) {
    const Split split = splits.best(first, end, inflation);
    if (std::tuple(split.p, -split.t, split.at) < std::tuple(best.p, -best.t, best.at)) best = split;
  };
  if (high - low <= windows.size) {
    look(low, high);
    return best;
  }
  for (std::size_t first = low; first + windows.size < high; first += windows.step) look(first, first + windows.size);
  look(high - windows.size, high);
  return best;
}

// The windows of a longer range begin at other places of a level than its middle.
std::optional<Split> significant_split(Splits& splits, std::size_t low, std::size_t high, double inflation,
                                       double alpha) {
  const Split split = best_in_windows(splits, low, high, {window, window_step}, inflation);
  if (split.p <= alpha) return split;
  if (high - low > window || high - low <= short_window) return std::nullopt;
  const Split in_short = best_in_windows(splits, low, high, {short_window, short_window_step}, inflation);
  return in_short.p <= alpha * share_of_alpha ? std::optional(in_short) : std::nullopt;
}

std::vector<std::size_t> segment(Splits& splits, std::size_t runs, double inflation, double alpha) {
  std::vector<std::size_t> changes;
  std::vector<std::pair<std::size_t, std::size_t>> ranges{{0, runs}};
  while (!ranges.empty()) {
    const auto [low, high] = ranges.back();
    ranges.pop_back();
    if (high - low < 2 * smallest_segment) continue;
    const std::optional<Split> split = significant_split(splits, low, high, inflation, alpha);
    if (!split) continue;
    changes.push_back(split->at);
    ranges.emplace_back(low, split->at);
    ranges.emplace_back(split->at, high);
  }
  std::sort(changes.begin(), changes.end());
  return changes;
}

// Pooled over the segments, each about its own trend: about its mean, a slow rise would be correlation, which hides it.
double autocorrelation_inside(std::span<const double> values, const std::vector<std::size_t>& changes) {
  double products = 0;
  double squares = 0;
  for (std::size_t i = 0; i <= changes.size(); ++i) {
    const std::size_t first = i == 0 ? 0 : changes[i - 1];
    const std::size_t end = i == changes.size() ? values.size() : changes[i];
    const auto part = values.subspan(first, end - first);
    const std::vector<double> left = residuals(part, line_through(part));
    std::vector<double> neighbours(left.size() - 1);
    std::vector<double> own(left.size());
    for (std::size_t j = 0; j < left.size(); ++j) {
      own[j] = left[j] * left[j];
      if (j > 0) neighbours[j - 1] = left[j] * left[j - 1];
    }
    products += pairwise_sum(neighbours);
    squares += pairwise_sum(own);
  }
  if (squares <= 0) return 0;
  const double phi = products / squares;
  const auto segments = static_cast<double>(changes.size() + 1);
  const double bias =
      (bias_of_none + bias_per_phi * std::max(phi, 0.0)) * segments / static_cast<double>(values.size());
  return std::clamp(phi + bias, 0.0, largest_phi);
}

// Variance of a mean of correlated values over that of independent ones.
double inflation_of(double autocorrelation) {
  return (1 + autocorrelation) / (1 - autocorrelation);
}

// The values as they were measured, and without isolated outliers.
struct Series {
  std::span<const double> raw;
  std::span<const double> filtered;
  bool has_states = false;  // more were replaced than outliers are

  [[nodiscard]] Series first(std::size_t count) const { return {raw.first(count), filtered.first(count), has_states}; }
};

// Of the values as measured and of the filtered ones.
struct Inflations {
  double raw = 1;
  double filtered = 1;
};

struct LevelsAround {
  std::span<const double> before;
  std::span<const double> after;
};

// Both levels around a change, as far as the neighbouring changes and a window reach.
LevelsAround levels_around(std::span<const double> values, std::size_t previous, std::size_t index, std::size_t next) {
  const std::size_t first = std::max(previous, index - std::min(index, window));
  const std::size_t end = std::min(next, index + window);
  return {values.subspan(first, index - first), values.subspan(index, end - index)};
}

class Merger {
 public:
  Merger(const Series& series, const std::vector<std::size_t>& changes, const Inflations& inflations,
         const ChangePointOptions& options)
      : series_(series),
        inflations_(inflations),
        alpha_(options.alpha),
        margin_(std::log1p(options.smallest_magnitude)) {
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
  void measure(std::size_t i) {
    ChangePoint& point = points_[i];
    const std::size_t previous = i == 0 ? 0 : points_[i - 1].index;
    const std::size_t next = i + 1 == points_.size() ? series_.raw.size() : points_[i + 1].index;
    const LevelsAround around = levels_around(series_.filtered, previous, point.index, next);
    point.before = median(around.before).value_or(0);
    point.after = median(around.after).value_or(0);
    point.p = std::max(split_p(around.before, around.after, inflations_.filtered),
                       raw_p(point, around, levels_around(series_.raw, previous, point.index, next)));
  }

  // The filter replaces a rarer state by the local median, too, as if all of its runs were outliers: then the levels are without most of
  // their noise. The ranks of the values as measured are not. A value that is nowhere near the other level is an outlier, which the ranks take for a run
  // of that level.
  [[nodiscard]] double raw_p(const ChangePoint& point, const LevelsAround& filtered, const LevelsAround& raw) const {
    const bool only_outliers = !any_replaced_near(filtered.before, raw.before, point.after, point) &&
                               !any_replaced_near(filtered.after, raw.after, point.before, point);
    return only_outliers ? 0 : rank_split_p(raw.before, raw.after, inflations_.raw);
  }

  [[nodiscard]] static bool any_replaced_near(std::span<const double> filtered, std::span<const double> raw,
                                              double level, const ChangePoint& point) {
    for (std::size_t i = 0; i < raw.size(); ++i)
      if (raw[i] != filtered[i] && 2 * std::abs(raw[i] - level) <= magnitude(point)) return true;
    return false;
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

  Series series_;
  Inflations inflations_;
  double alpha_;
  double margin_;
  std::vector<ChangePoint> points_;
};

struct FoundChanges {
  std::vector<ChangePoint> points;
  double autocorrelation = 0;
};

// SPLITS are those of a filtered series that begins with that of SERIES.
FoundChanges search_changes(Splits& splits, const Series& series, const ChangePointOptions& options) {
  Inflations inflations;
  double autocorrelation = 0;
  const std::size_t runs = series.raw.size();
  std::vector<std::size_t> changes = segment(splits, runs, inflations.filtered, options.alpha);
  if (!changes.empty()) {
    autocorrelation = autocorrelation_inside(series.filtered, changes);
    inflations.filtered = inflation_of(autocorrelation);
    if (series.has_states) inflations.raw = inflation_of(autocorrelation_inside(series.raw, changes));
    if (inflations.filtered > worth_a_second_pass) changes = segment(splits, runs, inflations.filtered, options.alpha);
  }
  return {Merger(series, changes, inflations, options).merged(), autocorrelation};
}

// The changes of the whole series, and those that are found only without the newest one to five runs: runs that left their level but are too
// few for another one look like noise and correlation of the level that they left.
class KnownChanges {
 public:
  KnownChanges(const Series& series, const ChangePointOptions& options)
      : series_(series), options_(options), splits_(series.filtered) {}

  void find(ChangePoints& found) {
    const FoundChanges whole = search_changes(splits_, series_, options_);
    found.autocorrelation = whole.autocorrelation;
    for (const ChangePoint& point : whole.points) known_.push_back({point, 0});
    add_earlier(found);
    for (const Known& each : known_) found.points.push_back(each.point);
    found.unsettled = unsettled(known_);
  }

 private:
  struct Known {
    ChangePoint point;
    std::size_t without = 0;  // so many newest runs
  };

  void add_earlier(ChangePoints& found) {
    ChangePointOptions stricter = options_;
    stricter.alpha = std::max(options_.alpha * share_of_alpha, null_smallest_p);
    bool added = false;
    for (std::size_t newest = 1; newest <= too_few_for_a_level; ++newest) {
      if (series_.raw.size() < change_point_fewest_runs + newest) break;
      const FoundChanges earlier = search_changes(splits_, series_.first(series_.raw.size() - newest), stricter);
      const std::size_t before = known_.size();
      for (const ChangePoint& point : earlier.points) add({point, newest});
      if (known_.size() == before) continue;
      if (!added) found.autocorrelation = earlier.autocorrelation;  // of the most runs
      added = true;
    }
  }

  // Unless a level between the new neighbours would differ by less than the margin.
  void add(const Known& earlier) {
    const auto is_same = [&](const Known& other) {
      const std::size_t apart =
          std::max(earlier.point.index, other.point.index) - std::min(earlier.point.index, other.point.index);
      return other.without != earlier.without && apart < same_change;
    };
    if (std::any_of(known_.begin(), known_.end(), is_same)) return;
    std::vector<Known> more = known_;
    more.insert(std::find_if(more.begin(), more.end(),
                             [&](const Known& other) { return other.point.index > earlier.point.index; }),
                earlier);
    measure_levels(more);
    if (std::any_of(more.begin(), more.end(), [this](const Known& each) { return too_small(each.point); })) return;
    known_ = std::move(more);
  }

  void measure_levels(std::vector<Known>& known) const {
    for (std::size_t i = 0; i < known.size(); ++i) {
      ChangePoint& point = known[i].point;
      const std::size_t previous = i == 0 ? 0 : known[i - 1].point.index;
      const std::size_t next = i + 1 == known.size() ? series_.raw.size() - unsettled(known) : known[i + 1].point.index;
      const LevelsAround around = levels_around(series_.filtered, previous, point.index, next);
      point.before = median(around.before).value_or(0);
      point.after = median(around.after).value_or(0);
    }
  }

  [[nodiscard]] bool too_small(const ChangePoint& point) const {
    return std::abs(point.after - point.before) < std::log1p(options_.smallest_magnitude);
  }

  [[nodiscard]] static std::size_t unsettled(const std::vector<Known>& known) {
    return known.empty() ? 0 : known.back().without;
  }

  Series series_;
  ChangePointOptions options_;
  Splits splits_;
  std::vector<Known> known_;
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

std::optional<std::size_t> fewest_runs_for_a_change(double alpha) {
  if (!(alpha >= change_point_smallest_alpha && alpha <= change_point_largest_alpha)) return std::nullopt;
  constexpr double small = 1e-6;  // no two values are alike, and t is beyond all draws
  for (std::size_t runs = change_point_fewest_runs; runs <= window; ++runs) {
    for (std::size_t at = smallest_segment; at + smallest_segment <= runs; ++at) {
      std::vector<double> values(runs);
      for (std::size_t i = 0; i < runs; ++i) values[i] = small * static_cast<double>(i) + (i < at ? 0 : 1);
      if (Splits(values).best(0, runs, 1).p <= alpha) return runs;
    }
  }
  return std::nullopt;
}

ChangePoints find_change_points(std::span<const double> log_values, const ChangePointOptions& options) {
  ChangePoints found;
  found.reasons = reasons_not_to_search(log_values, options);
  if (!found.reasons.empty()) return found;
  found.searched = true;
  Filtered filtered = hampel_filter(log_values);
  // What was moved by less than a change that is reported is not another state: of very even runs the filter replaces many.
  const auto moved = std::ranges::count_if(filtered.outliers, [&](std::size_t i) {
    return std::abs(log_values[i] - filtered.values[i]) >= std::log1p(options.smallest_magnitude);
  });
  const bool has_states = static_cast<double>(moved) > most_outliers * static_cast<double>(log_values.size());
  found.outliers = std::move(filtered.outliers);
  KnownChanges({log_values, filtered.values, has_states}, options).find(found);
  return found;
}

}  // namespace torchgate::stats
