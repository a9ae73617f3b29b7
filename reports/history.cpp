// SPDX-License-Identifier: Apache-2.0
#include "reports/history.hpp"

#include <fmt/format.h>

#include <cmath>

#include "harness/base/counted.hpp"

namespace torchgate::reports {

NewestRuns newest_runs(const History& history) {
  if (!history.judged || history.runs.empty() || !history.runs.back().watch) return NewestRuns::quiet;
  const HistoryWatch& watch = *history.runs.back().watch;
  if (watch.three_sigma || watch.two_in_a_row) return NewestRuns::worse;
  return watch.ewma ? NewestRuns::worse_on_mean : NewestRuns::quiet;
}

std::string newest_runs_words(const History& history) {
  switch (newest_runs(history)) {
    case NewestRuns::worse:
      return "the newest runs are worse, too few yet for a level";
    case NewestRuns::worse_on_mean:
      return "the weighted mean of the newest runs is worse than the mean of this level's first runs";
    case NewestRuns::quiet:
      break;
  }
  return "";
}

std::string history_finding(const History& history) {
  const std::string in_runs = " in " + base::counted(static_cast<std::int64_t>(history.runs.size()), "run", "runs");
  if (!history.judged) return "not judged" + in_runs;
  std::string alert = newest_runs_words(history);
  if (!alert.empty()) alert.insert(0, "; ");
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
