// SPDX-License-Identifier: Apache-2.0
#include "harness/import/rates.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "harness/import/bounds.hpp"

namespace torchgate::import {

std::optional<double> work_per_call(std::optional<double> per_second, double time_ns) {
  constexpr double rounding = 1e-6;
  if (!per_second || !(*per_second > 0)) return std::nullopt;
  const double count = *per_second * time_ns / ns_per_s;
  if (!(count > 0) || !std::isfinite(count)) return std::nullopt;
  const double whole = std::round(count);
  return whole > 0 && std::abs(count - whole) < rounding * whole ? whole : count;
}

ImportedMetric rate_metric(std::string name, std::string unit, std::vector<double> per_second) {
  ImportedMetric rate{
      {std::move(name), std::move(unit), record::Direction::higher_is_better, record::MetricKind::timed, false},
      std::move(per_second),
      std::nullopt};
  rate.metric.judged = true;
  return rate;
}

void add_rates_of_work(ImportedCase& one) {
  const auto add = [&](const std::optional<double>& per_call, const char* name, const char* unit) {
    const bool possible = per_call && !one.time_ns.empty() &&
                          std::all_of(one.time_ns.begin(), one.time_ns.end(), [](double ns) { return ns > 0; });
    if (!possible) return;
    std::vector<double> per_second;
    per_second.reserve(one.time_ns.size());
    for (const double ns : one.time_ns) per_second.push_back(*per_call * ns_per_s / ns);
    if (!std::isfinite(*std::max_element(per_second.begin(), per_second.end()))) return;
    one.metrics.push_back(rate_metric(name, unit, std::move(per_second)));
  };
  add(one.items_per_call, items_rate, "items/s");
  add(one.bytes_per_call, bytes_rate, "bytes/s");
}

}  // namespace torchgate::import
