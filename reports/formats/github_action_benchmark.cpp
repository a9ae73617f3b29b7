// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/github_action_benchmark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "harness/base/counted.hpp"
#include "reports/formats/tracked_values.hpp"
#include "reports/safe_text.hpp"

namespace torchgate::reports {

std::string render_github_action_benchmark(const Report& report, record::Direction direction) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const TrackedValue& tracked : all_tracked_values(report)) {
    const Finding& finding = *tracked.finding;
    if (finding.metric.direction != direction) continue;
    nlohmann::ordered_json entry = {
        {"name", tracked.name}, {"unit", one_line(finding.metric.unit)}, {"value", tracked.value}};
    if (tracked.sd) entry["range"] = fmt::format("± {:.4g}", *tracked.sd);
    entry["extra"] = fmt::format("verdict: {}\nprocesses: {}", to_string(finding.verdict), finding.after->processes);
    all.push_back(std::move(entry));
  }
  return all.dump(2, ' ', true, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

std::string left_out_for_github_action(const Report& report, record::Direction direction) {
  const std::vector<TrackedValue> values = all_tracked_values(report);
  const auto others = std::count_if(values.begin(), values.end(), [&](const TrackedValue& tracked) {
    return tracked.finding->metric.direction != direction;
  });
  if (others == 0) return "";
  const bool smaller = direction == record::Direction::lower_is_better;
  return fmt::format("{} not in the file of {}, as {} is better there; write {} with --write {}=FILE, for the tool {}",
                     base::counted(others, "value is", "values are"),
                     smaller ? "customSmallerIsBetter" : "customBiggerIsBetter", smaller ? "higher" : "lower",
                     others == 1 ? "it" : "them",
                     smaller ? "github-action-benchmark-bigger" : "github-action-benchmark",
                     smaller ? "customBiggerIsBetter" : "customSmallerIsBetter");
}

}  // namespace torchgate::reports
