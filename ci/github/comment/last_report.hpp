// SPDX-License-Identifier: Apache-2.0
// The newest report of this folder, kept as JSON in the workspace, and reports read back by `accept`, `comment` and `triage`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/record/sampling.hpp"
#include "reports/report.hpp"

namespace torchgate::github {

inline constexpr const char* last_report_file = ".torchgate/last_report.json";

/// Saves REPORT, replacing the previous one. An error is worth a warning only: it does not change the verdict.
base::Result<void> keep_last_report(const reports::Report& report);

/// The facts of a finding that `accept` and `triage` use.
struct ReportedFinding {
  std::string case_name;
  std::string metric;
  std::string unit;
  bool exact = false;
  bool lower_is_better = true;
  std::string verdict;
  std::string action;
  std::optional<double> change;
  std::optional<reports::Interval> interval;  ///< of the change
  std::optional<double> value_before;
  std::optional<double> value;  ///< after the change
  std::vector<std::string> reasons;
  bool over_budget = false;  ///< no waiver lifts that
};

struct SavedReport {
  std::string outcome;  ///< "pass", "fail" or "no_verdict"
  bool weak = false;    ///< less than half of its cases was decided
  std::string headline;
  std::optional<std::string> commit;         ///< the judged one
  std::optional<std::string> before_commit;  ///< what it was compared with
  bool modified = false;                     ///< the work tree of either side was, or may have been
  bool after_modified = false;               ///< that of the judged side was, or may have been
  std::string host;                          ///< host key of the judged side
  bool paired = false;                       ///< all of it was measured in interleaved pairs
  bool since_pin = false;                    ///< of `gate --since`: its changes have no one commit as their cause
  std::vector<ReportedFinding> findings;
  std::optional<std::string> pin = {};   ///< of `gate --since`: its name
  record::Sampling sampling = {};        ///< of the judged run, where the report says it; "full" is not "default" here
  std::optional<std::string> head = {};  ///< what the judged commit merges, where that is a merge made for a test
};

/// not_found: no such file; bad_input: not a torchgate report.
base::Result<SavedReport> load_report(const std::string& file, std::string_view option = "--report");

}  // namespace torchgate::github
