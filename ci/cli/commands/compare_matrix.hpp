// SPDX-License-Identifier: Apache-2.0
// `compare` of more than two runs.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ci/cli/console.hpp"
#include "ci/cli/exit_code.hpp"
#include "ci/cli/shared_options.hpp"
#include "ci/policy/policy.hpp"
#include "ci/workflow/workspace/workspace.hpp"
#include "harness/base/result.hpp"
#include "reports/report.hpp"

namespace torchgate::cli {

/// Judges a run against the first one.
using JudgeAgainstFirst = std::function<base::Result<reports::Report>(const std::string& run)>;

/// NAMES: runs, of which the first is the reference, or pairs, each with its own. bad_input: runs and pairs, or a name twice.
ExitCode compare_matrix(const std::vector<std::string>& names, const JudgeAgainstFirst& judge,
                        const workflow::Workspace& workspace, const policy::Policy& policy, const ShowFlags& show,
                        const Console& console);

}  // namespace torchgate::cli
