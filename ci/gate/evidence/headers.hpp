// SPDX-License-Identifier: Apache-2.0
// What a report says about each run as a whole.
#pragma once

#include <string>
#include <vector>

#include "ci/gate/evidence/machine_doubts.hpp"
#include "ci/gate/judged.hpp"
#include "ci/policy/policy.hpp"
#include "harness/record/run.hpp"
#include "reports/report.hpp"

namespace torchgate::gate {

/// An empty report that says by which rule, gate and margin it judges.
reports::Report report_under(const policy::Gate& policy);

reports::SideHeader side_header(const record::Run& run, std::int64_t side, const std::string& label);

/// Appends what makes these runs doubtful: an interruption, missing shards, lost processes, their own warnings. What several of them
/// share is one doubt.
void add_run_doubts(Remarks& remarks, const std::vector<LabelledRun>& runs);

}  // namespace torchgate::gate
