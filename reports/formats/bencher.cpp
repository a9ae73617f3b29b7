// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/bencher.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "reports/formats/tracked_values.hpp"

namespace torchgate::reports {

std::string render_bencher(const Report& report) {
  nlohmann::json all = nlohmann::json::object();
  for (const TrackedValue& tracked : all_tracked_values(report)) {
    const record::Metric& metric = tracked.finding->metric;
    nlohmann::json value = {{"value", tracked.value}};
    // Of interleaved pairs, the value is not one of the processes of the first measurement.
    if (tracked.lowest && *tracked.lowest <= tracked.value) value["lower_value"] = *tracked.lowest;
    if (tracked.highest && *tracked.highest >= tracked.value) value["upper_value"] = *tracked.highest;
    auto& measures = all[tracked.case_name];
    // Built in there: latency in nanoseconds, throughput in operations a second.
    measures[metric.primary && metric.unit == "ns" ? "latency" : tracked_name(metric.name)] = value;
    if (!metric.primary) continue;
    const auto& rate = tracked.finding->after->items_per_second;
    if (rate && std::isfinite(*rate)) measures["throughput"] = {{"value", *rate}};
  }
  return all.dump(2, ' ', true, nlohmann::json::error_handler_t::replace) + '\n';
}

}  // namespace torchgate::reports
