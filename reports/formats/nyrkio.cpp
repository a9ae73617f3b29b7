// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/nyrkio.hpp"

#include <nlohmann/json.hpp>

#include "reports/formats/tracked_values.hpp"
#include "reports/safe_text.hpp"

namespace torchgate::reports {

std::string render_nyrkio(const Report& report) {
  nlohmann::ordered_json metrics = nlohmann::ordered_json::array();
  for (const TrackedValue& tracked : all_tracked_values(report)) {
    const record::Metric& metric = tracked.finding->metric;
    metrics.push_back({{"name", tracked.name},
                       {"unit", one_line(metric.unit)},
                       {"value", tracked.value},
                       {"direction", metric.direction == record::Direction::lower_is_better ? "lower_is_better"
                                                                                            : "higher_is_better"}});
  }
  nlohmann::ordered_json line = nlohmann::ordered_json::object();
  if (const auto seconds = unix_seconds(report.after.created)) line["timestamp"] = *seconds;
  line["metrics"] = std::move(metrics);
  auto& attributes = line["attributes"] = nlohmann::ordered_json::object();
  if (report.after.commit) attributes["git_commit"] = one_line(*report.after.commit);
  if (!report.after.host_key.empty()) attributes["host"] = one_line(report.after.host_key);
  return line.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace torchgate::reports
