// SPDX-License-Identifier: Apache-2.0
// What the history of every case needs of a run: a few numbers a case. A site of a thousand runs keeps these instead of reading the runs
// again.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ci/gate/evidence/evidence.hpp"
#include "harness/record/run.hpp"
#include "reports/history.hpp"

namespace torchgate::history {

/// What is the same in all points of a case that can be compared.
struct Series {
  std::string case_name;
  record::Metric metric;      ///< the primary one
  std::string kind;           ///< equal where protocol, inputs, parameters and device are
  std::string sampling = {};  ///< "--quick --warmup 1": of the run; empty: each case was called as often as by default
  bool operator==(const Series&) const = default;
};

struct CasePoint {
  std::shared_ptr<const Series> series;  ///< never null. A million points have a few hundred of them
  double worse_log = 0;                  ///< logarithm of the run value, oriented so that larger is worse
  std::int64_t processes = 0;
};

bool of_one_series(const CasePoint& a, const CasePoint& b);

struct RunPoints {
  std::string run_id;
  std::string host_key;
  std::string created;
  std::optional<std::string> commit;
  std::string torchgate;  ///< version that measured the run
  std::string libtorch;   ///< version that its suites were built with; empty: not known
  bool is_whole = false;  ///< of one side, and not interrupted
  std::vector<CasePoint> cases;
  std::vector<std::string> without_value;  ///< its other cases: failed, wrong, or without a usable number
};

/// Absent: the case failed, was wrong or has no usable number.
std::optional<CasePoint> point_of(const gate::CaseEvidence& evidence, const record::Run& run);

/// Without cases where the run is a pair's or was stopped.
RunPoints points_of(const record::Run& run);

struct SeriesOptions {
  std::string store;              ///< its location, for the histories
  double alpha = 0.001;           ///< for a series (stats/change_point.hpp)
  double smallest_change = 0.01;  ///< relative change of the level
};

/// A judged history for each case of these runs (of one host, oldest first), by name. Points of another kind or sampling than the newest one
/// of their case are left out.
std::vector<reports::History> histories_of(const std::vector<const RunPoints*>& runs, const SeriesOptions& options);

/// History::runs without values and HISTORY's question are given; judges the values.
void judge_values(reports::History& history, std::vector<double> worse_logs);

}  // namespace torchgate::history
