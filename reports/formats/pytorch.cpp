// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/pytorch.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "reports/formats/tracked_values.hpp"
#include "reports/safe_text.hpp"

namespace torchgate::reports {
namespace {

// "fusion/conv_bn/folded/device:cpu/batch:8": the suite, and what is measured of it.
std::pair<std::string, std::string> suite_and_rest(const std::string& name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string::npos) return {name, name};
  return {name.substr(0, slash), name.substr(slash + 1)};
}

/// "device:cpu" and the like, as the database keeps arguments: names and texts.
nlohmann::ordered_json arguments_of(const std::string& name) {
  nlohmann::ordered_json arguments = nlohmann::ordered_json::object();
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t end = std::min(name.find('/', at), name.size());
    const std::string part = name.substr(at, end - at);
    const std::size_t colon = part.find(':');
    if (colon != std::string::npos && colon > 0 && colon + 1 < part.size())
      arguments[part.substr(0, colon)] = part.substr(colon + 1);
    at = end + 1;
  }
  return arguments;
}

}  // namespace

std::string render_pytorch(const Report& report) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const TrackedValue& tracked : all_tracked_values(report)) {
    const Finding& finding = *tracked.finding;
    const auto [suite, rest] = suite_and_rest(tracked.case_name);
    const auto& processes = finding.after->process_values;
    const bool all_known = tracked.sd.has_value();  // then every value of its processes is a number
    nlohmann::ordered_json record = {{"schema_version", "v3"}};
    if (const auto seconds = unix_seconds(report.after.created)) record["timestamp"] = *seconds;
    if (report.after.commit) record["head_sha"] = one_line(*report.after.commit);
    // Without a mode: torchgate does not know whether a case trains.
    record["benchmark"] = {{"name", "torchgate"},
                           {"extra_info", {{"suite", suite}, {"arguments", arguments_of(tracked.case_name)}}}};
    record["model"] = {{"name", rest}, {"type", suite}, {"backend", "libtorch"}, {"origins", {"torchgate"}}};
    record["metric"] = {{"name", tracked_name(finding.metric.name + "_" + finding.metric.unit)},
                        {"benchmark_values", all_known ? processes : std::vector<double>{tracked.value}},
                        {"extra_info", {{"verdict", to_string(finding.verdict)}}}};
    all.push_back(std::move(record));
  }
  return all.dump(2, ' ', true, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace torchgate::reports
