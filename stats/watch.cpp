// SPDX-License-Identifier: Apache-2.0
#include "stats/watch.hpp"

#include <algorithm>
#include <cmath>

#include "stats/moments.hpp"
#include "stats/quantile.hpp"

namespace torchgate::stats {
namespace {

constexpr double smallest_sd = 1e-6;  // log units: finer than any clock (README, "Special cases")

struct Baseline {
  double mean = 0;
  double sd = smallest_sd;
  double median = 0;
  double robust_sd = smallest_sd;
};

// REQUIRES: finite values whose squares fit a double.
Baseline baseline_of(std::span<const double> values) {
  Baseline baseline;
  const Moments m = moments(values).value_or(Moments{});
  baseline.mean = m.mean;
  baseline.sd = std::max(std::sqrt(m.variance().value_or(0)), smallest_sd);
  baseline.median = median(values).value_or(0);
  std::vector<double> deviations(values.size());
  std::transform(values.begin(), values.end(), deviations.begin(),
                 [&](double value) { return std::abs(value - baseline.median); });
  baseline.robust_sd = std::max(normal_per_mad * median(deviations).value_or(0), smallest_sd);
  return baseline;
}

std::vector<std::string> reasons_not_to_watch(std::span<const double> values, const WatchOptions& options) {
  std::vector<std::string> reasons;
  const bool weight_fits = options.weight > 0 && options.weight <= 1;
  if (!weight_fits || !(options.sds > 0) || options.fewest_baseline < 2 ||
      options.baseline_runs < options.fewest_baseline) {
    reasons.emplace_back("a weight above 0 up to 1, a limit above 0 and a baseline of at least two runs are needed");
  } else if (!moments(values) && !values.empty()) {
    reasons.emplace_back("a run value is not a finite number, or too large to be squared");
  } else if (values.size() <= options.fewest_baseline) {
    reasons.emplace_back("only " + std::to_string(values.size()) + " runs of this level: watching starts with run " +
                         std::to_string(options.fewest_baseline + 1));
  }
  return reasons;
}

}  // namespace

double ewma_step(double previous, double value, double weight) {
  return weight * value + (1 - weight) * previous;
}

double ewma_limit(double sd, std::size_t runs, double weight, double sds) {
  const double gathered = 1 - std::pow(1 - weight, 2 * static_cast<double>(runs));
  return sds * sd * std::sqrt(weight / (2 - weight) * gathered);
}

Watch watch_level(std::span<const double> log_values, const WatchOptions& options) {
  Watch watch;
  watch.reasons = reasons_not_to_watch(log_values, options);
  if (!watch.reasons.empty()) return watch;
  Baseline baseline = baseline_of(log_values.first(options.fewest_baseline));
  double smoothed = baseline.mean;
  bool previous_beyond = false;
  for (std::size_t i = options.fewest_baseline; i < log_values.size(); ++i) {
    if (i <= options.baseline_runs) baseline = baseline_of(log_values.first(i));
    const double value = log_values[i];
    smoothed = ewma_step(smoothed, value, options.weight);
    WatchState state;
    state.index = i;
    state.sds_above = (value - baseline.mean) / baseline.sd;
    state.ewma_above = smoothed - baseline.mean;
    state.ewma_limit = ewma_limit(baseline.sd, i - options.fewest_baseline + 1, options.weight, options.sds);
    const bool beyond = (value - baseline.median) / baseline.robust_sd > options.sds;
    state.three_sigma = state.sds_above > options.sds;
    state.two_in_a_row = beyond && previous_beyond;
    state.ewma = state.ewma_above > state.ewma_limit;
    previous_beyond = beyond;
    watch.states.push_back(state);
  }
  return watch;
}

}  // namespace torchgate::stats
