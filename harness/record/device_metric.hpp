// SPDX-License-Identifier: Apache-2.0
// What the cases of a run on a GPU are judged by (run.device_metric).
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/case.hpp"

namespace torchgate::record {

inline constexpr std::string_view host_time = "time";  ///< that a caller waits

/// Of the first case that has both kinds of times and is judged by one of them; absent: there is none.
inline std::optional<std::string> device_metric_of(const std::vector<Case>& cases) {
  const auto is_device_time = [](const Metric& metric) { return metric.name.starts_with(device_time_prefix); };
  for (const Case& each : cases) {
    const Metric* const primary = primary_metric(each);
    if (primary == nullptr || std::none_of(each.metrics.begin(), each.metrics.end(), is_device_time)) continue;
    if (primary->name == host_time || is_device_time(*primary)) return primary->name;
  }
  return std::nullopt;
}

}  // namespace torchgate::record
