// SPDX-License-Identifier: Apache-2.0
#include "stats/ratio_interval.hpp"

#include <cmath>

#include "stats/welch.hpp"

namespace torchgate::stats {

std::optional<std::vector<double>> log_values(std::span<const double> values) {
  std::vector<double> logs;
  logs.reserve(values.size());
  for (double value : values) {
    if (!(value > 0.0) || !std::isfinite(value)) return std::nullopt;
    logs.push_back(std::log(value));
  }
  return logs;
}

std::optional<RatioEstimate> ratio_interval(std::span<const double> before, std::span<const double> after,
                                            double level) {
  const auto log_before = log_values(before);
  const auto log_after = log_values(after);
  if (!log_before || !log_after) return std::nullopt;
  const std::optional<Welch> test = welch(*log_before, *log_after);
  if (!test) return std::nullopt;
  RatioEstimate estimate;
  estimate.ratio = std::exp(test->difference);
  if (!std::isfinite(estimate.ratio)) return std::nullopt;
  if (const auto interval = difference_interval(*test, level)) estimate.interval = as_ratio(*interval);
  estimate.p = test->p;
  return estimate;
}

}  // namespace torchgate::stats
