// SPDX-License-Identifier: Apache-2.0
// Measures suspects again, in interleaved pairs of the baseline's binaries and the run's.
#pragma once

#include <filesystem>
#include <functional>

#include "baselines/store.hpp"
#include "ci/policy/policy.hpp"
#include "ci/workflow/pairs/pair_plan_file.hpp"
#include "ci/workflow/pairs/pair_shards.hpp"
#include "ci/workflow/workspace/narrator.hpp"
#include "ci/workflow/workspace/recorded_files.hpp"
#include "harness/record/run.hpp"

namespace torchgate::workflow {

struct SuspectPairs {
  record::Run run;      ///< before, after
  std::string rebuilt;  ///< the note for the report if the baseline's commit was rebuilt; else empty
};

/// Saves pairs; where.
using KeepPairs = std::function<base::Result<std::filesystem::path>(record::Run&)>;

/// Measures the pairs of PLAN. Errors: recorded files are missing or have changed, or a process loaded other files than
/// the recorded ones. If the baseline's files are missing and the policy sets baseline.build, its commit is rebuilt.
/// Without a STORE (nullptr) only unchanged original files are used, and only those that FILES allows. KEEP is called with the pairs before their
/// code is compared and the instructions of open cases are counted, which takes minutes: what ends this meanwhile does not cost them. SHARD: only
/// the pairs of its groups; the record is a part, of which launch::merge_shards makes one run with the others.
base::Result<SuspectPairs> measure_suspects(const PairPlanFile& plan, const record::Run& baseline,
                                            const record::Run& current, const baselines::Store* store,
                                            const RecordedFiles& files, const policy::Policy& policy,
                                            const KeepPairs& keep, Narrator& narrator, const PairShard& shard = {});

}  // namespace torchgate::workflow
