// SPDX-License-Identifier: Apache-2.0
#include "stats/trend.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/effective_sample_size.hpp"
#include "stats/moments.hpp"
#include "stats/ranks.hpp"
#include "stats/student_t.hpp"

namespace torchgate::stats {
namespace {

constexpr double fewest_independent = 8.0;

double middle_of(std::vector<double>& scratch) {
  const auto half = scratch.begin() + static_cast<std::ptrdiff_t>(scratch.size() / 2);
  std::nth_element(scratch.begin(), half, scratch.end());
  if (scratch.size() % 2 == 1) return *half;
  const double below = *std::max_element(scratch.begin(), half);
  return below + (*half - below) / 2.0;
}

double rise_of(std::span<const double> log_samples) {
  const std::size_t third = log_samples.size() / 3;
  std::vector<double> scratch(log_samples.begin(), log_samples.begin() + static_cast<std::ptrdiff_t>(third));
  const double first = middle_of(scratch);
  scratch.assign(log_samples.end() - static_cast<std::ptrdiff_t>(third), log_samples.end());
  return middle_of(scratch) - first;
}

}  // namespace

std::optional<Trend> trend(std::span<const double> log_samples) {
  if (log_samples.size() < trend_from || !all_finite(log_samples)) return std::nullopt;
  const auto n = static_cast<double>(log_samples.size());
  const Ranks ranks = midranks(log_samples);
  const double mean_rank = n + 1.0;  // ranks are doubled
  const double mean_time = (n - 1.0) / 2.0;
  double products = 0.0;
  for (std::size_t i = 0; i < log_samples.size(); ++i)
    products += (static_cast<double>(i) - mean_time) * (static_cast<double>(ranks.doubled[i]) - mean_rank);
  const double time_squares = n * (n * n - 1.0) / 12.0;
  const double slope = products / time_squares;

  std::vector<double> residuals(log_samples.size());
  double residual_squares = 0.0;
  for (std::size_t i = 0; i < residuals.size(); ++i) {
    residuals[i] = static_cast<double>(ranks.doubled[i]) - mean_rank - slope * (static_cast<double>(i) - mean_time);
    residual_squares += residuals[i] * residuals[i];
  }
  Trend result;
  result.rise = rise_of(log_samples);
  const std::optional<double> effective = effective_sample_size(residuals);
  if (!effective) {  // no residuals: all values equal, or each larger (smaller) than the one before it by one rank
    if (slope == 0.0) return std::nullopt;
    result.p = 0.0;
    return result;
  }
  if (*effective < fewest_independent) return std::nullopt;
  const double standard_error = std::sqrt(residual_squares / (n - 2.0) / time_squares * n / *effective);
  result.p = student_t_two_sided_p(slope / standard_error, *effective - 2.0);
  return result;
}

bool drifts(std::span<const double> log_samples, const DriftLimits& limits) {
  if (log_samples.size() < trend_from || !all_finite(log_samples)) return false;
  if (std::abs(rise_of(log_samples)) < limits.rise) return false;
  const std::optional<Trend> found = trend(log_samples);
  return found && found->p < limits.p;
}

}  // namespace torchgate::stats
