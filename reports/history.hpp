// SPDX-License-Identifier: Apache-2.0
// The model of one case's history: what the stored runs measured, where its level changed, what the control charts say.
// Names in it come from suites and files and are untrusted: each format escapes for itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/metric.hpp"
#include "stats/interval.hpp"

namespace torchgate::reports {

/// What the control charts say of one run. They never fail a build.
struct HistoryWatch {
  double sds_above = 0;  ///< of the mean of its level's first runs, in their standard deviations; larger is worse
  bool three_sigma = false;
  bool two_in_a_row = false;
  bool ewma = false;

  [[nodiscard]] bool rings() const { return three_sigma || two_in_a_row || ewma; }
};

struct HistoryRun {
  std::string run_id;
  std::string created;                ///< UTC, ISO 8601
  std::optional<std::string> commit;  ///< full hash
  double value = 0;                   ///< run value, in the metric's unit
  std::int64_t processes = 0;
  bool outlier = false;               ///< far outside both its neighbourhoods: set aside in the search
  std::optional<HistoryWatch> watch;  ///< absent: too early in its level
};

struct HistoryChange {
  std::size_t run = 0;  ///< index of the first run of the new level
  double before = 0;    ///< median of up to 60 runs of the old level, in the metric's unit
  double after = 0;     ///< the same of the new one
  double change = 0;    ///< after / before - 1
  bool worse = false;   ///< by the metric's direction
  double p = 1;
  std::optional<std::int64_t> commits_between;   ///< how many commits the change can be in; absent: git cannot tell
  std::optional<stats::Interval> interval = {};  ///< of `change` (stats/level_interval.hpp)
};

/// Software that a run was the first to be measured with.
struct HistoryVersion {
  std::size_t run = 0;
  std::string name;     ///< "LibTorch"
  std::string version;  ///< "2.5.0"
  std::string before;   ///< of the runs before; empty: `run` is the first one of which it is known
};

struct History {
  std::string case_name;
  record::Metric metric;
  std::string host_key;
  std::string store;           ///< where the runs are kept
  double alpha = 0;            ///< for the whole series
  double smallest_change = 0;  ///< relative: smaller level changes are not reported
  bool drift_corrected = false;
  bool judged = false;               ///< whether level changes can be found; false: `reasons` says why not
  std::vector<std::string> reasons;  ///< sentences
  double autocorrelation = 0;        ///< of neighbouring runs inside a level; 0 when there was no change to look beside
  std::vector<HistoryRun> runs;      ///< oldest first
  std::vector<HistoryChange> changes;
  /// From the first run to the last, relative, where the level changes are parts of one slow rise or fall (stats/slow_change.hpp).
  std::optional<double> slow_change = {};
  std::vector<HistoryVersion> versions;  ///< by run; empty where they were not looked at
  std::string watch_reason;              ///< why the newest run has no watch state; empty when it has one
  std::vector<std::string> notes;        ///< runs that were left out, and why
};

/// The alert for the newest run, which has no level of its own yet: about eight runs are needed for one.
enum class NewestRuns {
  quiet,
  worse,         ///< the newest run itself is far out
  worse_on_mean  ///< EWMA alone, which stays after one outlier, and after a step that is too small for a level
};

NewestRuns newest_runs(const History& history);
/// "the newest runs are worse, too few yet for a level"; empty: there is no alert.
std::string newest_runs_words(const History& history);

/// "2 level changes in 40 runs". The search needs runs after a change: with an alert for the newest run, it says so.
std::string history_finding(const History& history);

}  // namespace torchgate::reports
