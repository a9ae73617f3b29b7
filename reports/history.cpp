// SPDX-License-Identifier: Apache-2.0
#include "reports/history.hpp"

#include <fmt/format.h>

#include <cmath>

#include "harness/base/counted.hpp"

namespace torchgate::reports {

std::string history_finding(const History& history) {
  const std::string in_runs = " in " + base::counted(static_cast<std::int64_t>(history.runs.size()), "run", "runs");
  if (!history.judged) return "not judged" + in_runs;
  const auto changes = static_cast<std::int64_t>(history.changes.size());
  if (changes > 0) {
    const std::string slow = history.slow_change ? fmt::format(", parts of a slow {} by {:.0f} %",
                                                               *history.slow_change > 0 ? "rise" : "fall",
                                                               std::abs(*history.slow_change) * 100)
                                                 : "";
    return base::counted(changes, "level change", "level changes") + in_runs + slow;
  }
  const bool alert = !history.runs.empty() && history.runs.back().watch && history.runs.back().watch->rings();
  return "no level change found" + in_runs + (alert ? "; the newest runs are worse, too few yet for a level" : "");
}

}  // namespace torchgate::reports
