// SPDX-License-Identifier: Apache-2.0
// One case over the stored runs of a machine: where its level changed. Runs are given one after the other and only
// what is asked for is kept.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ci/history/points.hpp"
#include "harness/base/result.hpp"
#include "reports/history.hpp"

namespace torchgate::history {

struct HistoryQuestion {
  std::string case_name;
  std::string host_key;
  std::string store;              ///< its location, for the report
  double alpha = 0.001;           ///< for the series (stats/change_point.hpp)
  double smallest_change = 0.01;  ///< relative change of the level
  bool uncommitted = false;       ///< include runs without a commit
};

class HistoryReader {
 public:
  explicit HistoryReader(HistoryQuestion question) : question_(std::move(question)) {}

  /// Oldest first. `of_commit`: it is kept as a baseline of its commit.
  void add(const RunPoints& run, bool of_commit);

  /// A run that cannot be read, with the reason; the report notes it.
  void add_unreadable(const std::string& run_id, const std::string& why);

  /// The runs that measured the case as the newest of them did, with the same settings, in the order added: those that `shifts` are for.
  [[nodiscard]] std::vector<std::string> run_ids() const;

  /// `shifts`: drift of the machine, one for each of run_ids(), as log shifts, larger is worse (ci/gate/drift/machine_drift.hpp); the values
  /// are corrected for them. Empty: the values are not corrected, and the report says so.
  /// not_found: no run has the case; names the nearest known ones. no_verdict: there are no runs. bad_input: an alpha or a
  /// smallest change that the search does not support. Too few runs to judge: a history that says so.
  [[nodiscard]] base::Result<reports::History> judge(const std::vector<double>& shifts) const;

 private:
  struct Measured {
    reports::HistoryRun run;
    CasePoint point;
  };

  [[nodiscard]] bool same_as_newest(const Measured& one) const;
  [[nodiscard]] std::vector<const Measured*> comparable() const;
  [[nodiscard]] base::Error nothing_measured() const;
  void add_notes(reports::History& history, std::size_t used) const;
  [[nodiscard]] std::size_t sampled_differently() const;
  [[nodiscard]] std::vector<const record::Metric*> other_metrics() const;

  HistoryQuestion question_;
  std::vector<Measured> measured_;
  std::set<std::string> known_cases_;
  std::vector<std::string> unreadable_;
  std::int64_t runs_ = 0;
  std::int64_t uncommitted_ = 0;
  std::int64_t partial_ = 0;              ///< pairs, or interrupted
  std::int64_t without_value_ = 0;        ///< failed, wrong, skipped, lost or without a usable number
  std::int64_t newest_without_case_ = 0;  ///< newest runs that do not list the case
};

}  // namespace torchgate::history
