// SPDX-License-Identifier: Apache-2.0
// Measures suspects again, in interleaved pairs of the baseline's own binaries and the run's.
#pragma once

#include "baselines/store.hpp"
#include "ci/policy/policy.hpp"
#include "ci/workflow/narrator.hpp"
#include "ci/workflow/recorded_files.hpp"
#include "ci/workflow/suspect_plan.hpp"
#include "harness/record/run.hpp"

namespace torchgate::workflow {

struct SuspectPairs {
  record::Run run;      ///< before, after
  std::string rebuilt;  ///< the sentence that says so, when before was built again from the baseline's commit
};

/// The pairs of PLAN, or why they cannot be had: objects that are gone or have changed, or that something else was loaded
/// than was recorded. Where the baseline's objects are gone and the policy has baseline.build, its commit is built again.
/// `store` may be null: then only unchanged original files serve, and only those that FILES lets run.
base::Result<SuspectPairs> measure_suspects(const SuspectPlan& plan, const record::Run& baseline,
                                            const record::Run& current, const baselines::Store* store,
                                            const RecordedFiles& files, const policy::Policy& policy,
                                            Narrator& narrator);

}  // namespace torchgate::workflow
