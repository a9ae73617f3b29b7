// SPDX-License-Identifier: Apache-2.0
#include "stats/summary.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/autocorrelation.hpp"
#include "stats/moments.hpp"
#include "stats/quantile.hpp"

namespace torchgate::stats {
namespace {

// Consumes `sorted`: the deviations take its place.
double median_absolute_deviation(std::vector<double>& sorted, double middle) {
  for (double& value : sorted) value = std::abs(value - middle);
  std::sort(sorted.begin(), sorted.end());
  return *quantile_of_sorted(sorted, 0.5);
}

}  // namespace

std::optional<Summary> summarize(std::span<const double> values) {
  const std::optional<Moments> m = moments(values);
  if (!m) return std::nullopt;
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const auto at = [&](double q) { return *quantile_of_sorted(sorted, q); };

  Summary summary;
  summary.n = m->n;
  summary.mean = m->mean;
  summary.min = sorted.front();
  summary.p25 = at(0.25);
  summary.median = at(0.5);
  summary.p75 = at(0.75);
  summary.p95 = at(0.95);
  summary.p99 = at(0.99);
  summary.max = sorted.back();
  if (const auto variance = m->variance()) summary.sd = std::sqrt(*variance);
  summary.lag1 = lag1_autocorrelation(values);
  summary.mad = median_absolute_deviation(sorted, summary.median);
  return summary;
}

}  // namespace torchgate::stats
