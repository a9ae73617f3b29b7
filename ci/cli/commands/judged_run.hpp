// SPDX-License-Identifier: Apache-2.0
// The run that `gate` judges, and how its report is presented.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ci/cli/commands/gate_command.hpp"
#include "ci/cli/console.hpp"
#include "ci/cli/exit_code.hpp"
#include "ci/policy/policy.hpp"
#include "ci/workflow/baseline/baseline_of.hpp"
#include "ci/workflow/workspace/workspace.hpp"
#include "harness/base/result.hpp"
#include "harness/record/run.hpp"
#include "reports/report.hpp"

namespace torchgate::cli {

/// The run that COMMAND names, in the workspace or the store of POLICY; else the newest of the workspace. bad_input: it is not of the commit that COMMAND expects; or the newest is of another commit
/// than the checkout; one of modified files of a commit may also be what its next commit contains.
base::Result<record::Run> judged_run(const GateCommand& command, const workflow::Workspace& workspace,
                                     const policy::Policy& policy);

/// NAME (--commit) is COMMIT, or its first 7 or more digits, by which git finds no other commit.
bool names_commit(const std::string& name, const std::optional<std::string>& commit);

/// Adds a doubt where COMMAND names no run, RUN is of this checkout, and what it measured has changed: of an unmodified checkout tracked files other than the policy's differ
/// from it now; of a modified one an executable has another content, or a file that differs from its commit was written since then.
void doubt_newest(const GateCommand& command, const record::Run& run, const policy::Policy& policy,
                  std::vector<reports::Doubt>& doubts);

/// Which baseline COMMAND asks for. Errors: the pair plan that it names cannot be read.
base::Result<workflow::BaselineChoice> baseline_choice(const GateCommand& command);

/// The end of `gate`: what its own PAIRS of identical files showed is remembered, the report is kept as the last one and presented.
ExitCode present_judged(reports::Report report, const std::optional<record::Run>& pairs, const GateCommand& command,
                        const policy::Policy& policy, const Console& console);

}  // namespace torchgate::cli
