// SPDX-License-Identifier: Apache-2.0
// What a page draws beside a comparison: the history of the cases that need attention.
#pragma once

#include <string>

#include "harness/base/result.hpp"
#include "reports/report.hpp"

namespace torchgate::workflow {

/// Cases of a report whose history is drawn, the worst ones, and stored runs that are read for them, the newest ones.
inline constexpr std::size_t most_drawn_histories = 20;
inline constexpr std::size_t most_drawn_runs = 300;

/// Fills REPORT.histories from the store at STORE_PATH (baseline.store), ignoring level changes below SMALLEST_CHANGE: stored runs of the host of the new side that are a commit's baseline. Nothing is
/// added where there is no store or no such run; runs that cannot be read are left out.
void add_histories(reports::Report& report, const std::string& store_path, double smallest_change);

}  // namespace torchgate::workflow
