// SPDX-License-Identifier: Apache-2.0
// What a report says about each run as a whole.
#pragma once

#include <string>

#include "ci/gate/judged.hpp"
#include "ci/policy/policy.hpp"
#include "harness/record/run.hpp"
#include "reports/report.hpp"

namespace torchgate::gate {

/// An empty report that says by which rule, gate and margin it judges.
reports::Report report_under(const policy::Policy& policy);

reports::SideHeader side_header(const record::Run& run, std::int64_t side, const std::string& label);

/// Appends what makes this run doubtful: its own warnings, lost processes, a modified tree, an interruption.
void add_run_doubts(Remarks& remarks, const record::Run& run, const std::string& label);

}  // namespace torchgate::gate
