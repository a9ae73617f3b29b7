// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/github_action_benchmark.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/formats/tracked_values.hpp"
#include "reports/safe_text.hpp"

namespace torchgate::reports {

std::string render_github_action_benchmark(const Report& report) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const TrackedValue& tracked : tracked_values(report)) {
    const Finding& finding = *tracked.finding;
    if (finding.metric.direction != record::Direction::lower_is_better) continue;
    nlohmann::ordered_json entry = {
        {"name", tracked.name}, {"unit", one_line(finding.metric.unit)}, {"value", tracked.value}};
    if (tracked.sd) entry["range"] = fmt::format("± {:.4g}", *tracked.sd);
    entry["extra"] = fmt::format("verdict: {}\nprocesses: {}", to_string(finding.verdict), finding.after->processes);
    all.push_back(std::move(entry));
  }
  return all.dump(2, ' ', true, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace torchgate::reports
