// SPDX-License-Identifier: Apache-2.0
// Judging by pairs alone, where stored times cannot be compared: the change since a pin, and a baseline of another machine.
#pragma once

#include <optional>

#include "baselines/store.hpp"
#include "ci/cli/commands/gate_command.hpp"
#include "ci/cli/console.hpp"
#include "ci/cli/exit_code.hpp"
#include "ci/gate/judge.hpp"
#include "ci/policy/policy.hpp"
#include "ci/workflow/baseline/baseline_of.hpp"
#include "ci/workflow/workspace/workspace.hpp"

namespace torchgate::cli {

/// Plans the pairs of COMPARISON and, by COMMAND, writes the plan, takes recorded pairs or measures them; then presents the verdict.
ExitCode judge_by_pairs_alone(gate::Comparison comparison, const baselines::Store& store, const GateCommand& command,
                              const workflow::Workspace& workspace, const policy::Policy& project,
                              const Console& console);

/// `gate` where the host has no baseline by CHOICE: against the nearest run of another host. Absent: there is none either, or the
/// policy wants no pairs. CURRENT gets the names of that run.
std::optional<ExitCode> gate_on_another_host(record::Run& current, workflow::BaselineChoice choice,
                                             const baselines::Store& store, const GateCommand& command,
                                             const workflow::Workspace& workspace, const policy::Policy& project,
                                             const Console& console);

}  // namespace torchgate::cli
