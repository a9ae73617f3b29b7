// SPDX-License-Identifier: Apache-2.0
// The run that `gate` judges.
#pragma once

#include "ci/cli/arguments.hpp"
#include "ci/workflow/workspace.hpp"
#include "harness/base/result.hpp"
#include "harness/record/run.hpp"

namespace torchgate::cli {

/// The run that COMMAND names, else the newest. bad_input: it is not of the commit that COMMAND expects.
base::Result<record::Run> judged_run(const GateCommand& command, const workflow::Workspace& workspace);

/// Files of other tools name no program that could run again.
bool is_imported(const record::Run& run);

}  // namespace torchgate::cli
