// SPDX-License-Identifier: Apache-2.0
#include "reports/history.hpp"

#include <fmt/format.h>

#include <cmath>

#include "harness/base/counted.hpp"

namespace torchgate::reports {

bool newest_runs_are_worse(const History& history) {
  return history.judged && !history.runs.empty() && history.runs.back().watch && history.runs.back().watch->rings();
}

std::string history_finding(const History& history) {
  const std::string in_runs = " in " + base::counted(static_cast<std::int64_t>(history.runs.size()), "run", "runs");
  if (!history.judged) return "not judged" + in_runs;
  const std::string alert =
      newest_runs_are_worse(history) ? "; " + std::string(newest_runs_are_worse_words) : std::string();
  const auto changes = static_cast<std::int64_t>(history.changes.size());
  if (changes > 0) {
    const std::string slow = history.slow_change ? fmt::format(", parts of a slow {} by {:.0f} %",
                                                               *history.slow_change > 0 ? "rise" : "fall",
                                                               std::abs(*history.slow_change) * 100)
                                                 : "";
    return base::counted(changes, "level change", "level changes") + in_runs + slow + alert;
  }
  return "no level change found" + in_runs + alert;
}

}  // namespace torchgate::reports
