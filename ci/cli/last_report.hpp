// SPDX-License-Identifier: Apache-2.0
// The newest report of `torchgate gate`, kept as JSON in the workspace, and read back by `torchgate accept`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ci/cli/console.hpp"
#include "harness/base/result.hpp"
#include "reports/report.hpp"

namespace torchgate::cli {

inline constexpr const char* last_report_file = ".torchgate/last_report.json";

/// Replaces the one before. A report that cannot be kept costs a warning, not the verdict.
void keep_last_report(const reports::Report& report, const Console& console);

/// What `accept` has to know of a finding.
struct ReportedFinding {
  std::string case_name;
  std::string metric;
  bool exact = false;
  bool lower_is_better = true;
  std::string verdict;
  std::string effect;
  std::optional<double> change;
  std::optional<double> value;  ///< after the change
};

struct SavedReport {
  std::optional<std::string> commit;  ///< that was judged
  std::vector<ReportedFinding> findings;
};

/// not_found: no such file (says how to make one); bad_input: it is no report of torchgate.
base::Result<SavedReport> load_report(const std::string& file);

}  // namespace torchgate::cli
