// SPDX-License-Identifier: Apache-2.0
// What the reader can do about a report of result files of another tool: torchgate cannot measure again what they are of.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/report.hpp"

namespace torchgate::reports {

/// The newer side is of such files.
bool is_of_files(const Report& report);

/// Without a verdict, where too little was measured: SINGLE, one file on a side; else too few cases were decided.
std::string more_files(const Report& report, bool single);

/// Of UNCONFIRMED suspects: those that fail are to accept, more files decide about the rest.
std::vector<std::string> steps_for_suspects(const Report& report, std::int64_t unconfirmed);

/// Without a verdict, as too few cases were decided, of which half or more have no count where the baseline has one: how to have it; else empty. More
/// measurements of the same kind would not decide them.
std::string step_for_lost_counts(const Report& report);

/// Against what removes doubts of this KIND by measuring again; empty: the step is the same as for a run.
std::string step_for_files(DoubtKind kind);

}  // namespace torchgate::reports
