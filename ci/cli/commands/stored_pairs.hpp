// SPDX-License-Identifier: Apache-2.0
// The pairs of a comparison with a stored run, for `gate` and `compare`.
#pragma once

#include <optional>
#include <string>

#include "baselines/store.hpp"
#include "ci/cli/console.hpp"
#include "ci/gate/judge.hpp"
#include "ci/policy/policy.hpp"
#include "ci/workflow/pairs/pair_plan_file.hpp"
#include "ci/workflow/workspace/workspace.hpp"
#include "harness/base/result.hpp"

namespace torchgate::cli {

/// Where pairs come from: a recorded run, or the binaries of both sides.
struct PairSource {
  std::optional<std::string> recorded;  ///< name of a run of pairs; absent: measure them here
  const baselines::Store* objects = nullptr;
  bool run_recorded_files = false;
};

/// Takes or measures the pairs of PLAN and makes them part of COMPARISON; PAIRS holds them, and must outlive it. Pairs that cannot be
/// measured here are not an error: COMPARISON says why. Errors: recorded pairs of another plan, an interruption.
base::Result<void> add_pairs(gate::Comparison& comparison, const workflow::PairPlanFile& plan, const PairSource& source,
                             const workflow::Workspace& workspace, const policy::Policy& policy, const Console& console,
                             std::optional<record::Run>& pairs);

}  // namespace torchgate::cli
