// SPDX-License-Identifier: Apache-2.0
// What the reader can do about a report of result files of another tool: torchgate cannot measure again what they are of.
#pragma once

#include <string>

#include "reports/report.hpp"

namespace torchgate::reports {

/// The newer side is of such files.
bool is_of_files(const Report& report);

/// Without a verdict, where too little was measured: SINGLE, one file on a side; else too few cases were decided.
std::string more_files(const Report& report, bool single);

/// Against what removes doubts of this KIND by measuring again; empty: the step is the same as for a run.
std::string step_for_files(DoubtKind kind);

}  // namespace torchgate::reports
