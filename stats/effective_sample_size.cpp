// SPDX-License-Identifier: Apache-2.0
#include "stats/effective_sample_size.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/moments.hpp"

namespace torchgate::stats {
namespace {

// Where the sum has not ended by then the effective size is close to 1 in any case; this bounds the work on
// series of a million values.
constexpr std::size_t most_lags = 1000;

double autocovariance_sum(std::span<const double> deviations, std::size_t lag) {
  double sum = 0.0;
  for (std::size_t i = lag; i < deviations.size(); ++i) sum += deviations[i] * deviations[i - lag];
  return sum;
}

}  // namespace

std::optional<double> effective_sample_size(std::span<const double> values) {
  if (values.size() < effective_from || !all_finite(values)) return std::nullopt;
  const auto n = static_cast<double>(values.size());
  // Around the first value: logs of times are close to each other, and their differences keep their digits.
  double shift = 0.0;
  for (double value : values) shift += value - values.front();
  const double mean = values.front() + shift / n;
  std::vector<double> deviations(values.begin(), values.end());
  double squares = 0.0;
  for (double& value : deviations) {
    value -= mean;
    squares += value * value;
  }
  const bool all_equal = std::all_of(values.begin(), values.end(), [&](double v) { return v == values.front(); });
  if (all_equal || !std::isfinite(squares) || squares <= 0.0) return std::nullopt;

  double sum = 0.0;  // of autocovariances from lag 0 on, times n
  const std::size_t end = std::min(values.size() - 1, most_lags);
  for (std::size_t lag = 0; lag < end; lag += 2) {
    const double at_lag = lag == 0 ? squares : autocovariance_sum(deviations, lag);
    const double pair = at_lag + autocovariance_sum(deviations, lag + 1);
    if (!(pair > 0.0)) break;
    sum += pair;
  }
  const double inflation = 2.0 * sum / squares - 1.0;
  return inflation > 1.0 ? std::max(1.0, n / inflation) : n;
}

}  // namespace torchgate::stats
