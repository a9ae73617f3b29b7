// SPDX-License-Identifier: Apache-2.0
// The newest report of `torchgate gate`, kept as JSON in the workspace, and read back by `torchgate accept`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/base/result.hpp"
#include "reports/report.hpp"

namespace torchgate::workflow {

inline constexpr const char* last_report_file = ".torchgate/last_report.json";

/// Replaces the one before. A report that cannot be kept is worth a warning, and does not change the verdict.
base::Result<void> keep_last_report(const reports::Report& report);

/// What `accept` has to know of a finding.
struct ReportedFinding {
  std::string case_name;
  std::string metric;
  bool exact = false;
  bool lower_is_better = true;
  std::string verdict;
  std::string action;
  std::optional<double> change;
  std::optional<double> value;  ///< after the change
};

struct SavedReport {
  std::optional<std::string> commit;  ///< that was judged
  std::vector<ReportedFinding> findings;
};

/// not_found: no such file (says how to make one); bad_input: it is no report of torchgate.
base::Result<SavedReport> load_report(const std::string& file);

}  // namespace torchgate::workflow
