// SPDX-License-Identifier: Apache-2.0
// Pairs of a baseline's binaries and the suites of this checkout that no run came before.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "baselines/store.hpp"
#include "ci/policy/policy.hpp"
#include "ci/workflow/measure/effort.hpp"
#include "ci/workflow/workspace/narrator.hpp"
#include "ci/workflow/workspace/recorded_files.hpp"
#include "harness/base/result.hpp"
#include "harness/record/run.hpp"

namespace torchgate::workflow {

struct FromStart {
  Effort effort;
  std::vector<std::string> suites;  ///< executables, or folders of executables, of this checkout
  bool measure_unchanged = false;   ///< more than one pair of groups, too, that are byte-identical on both sides
  std::optional<std::string> save;  ///< name of the pairs
  /// suites_only_in_older() of the stored runs: their cases are not new.
  std::map<std::string, std::string> only_in_older = {};
};

struct PairsFromStart {
  record::Run pairs;    ///< before: the baseline's binaries; after: those of this checkout. Saved
  record::Run current;  ///< gate::after_side() of them
  std::string rebuilt;  ///< the note for the report if the baseline's commit was rebuilt; else empty
};

/// Measures all cases of the suites in interleaved pairs, under the budget of POLICY: gate.budget, where "run" is the time of
/// pairs_for_most_answers, at least a minute. BASELINE's files are those of STORE (nullptr: none) or unchanged ones that FILES allows; where they are missing, its commit
/// is rebuilt (baseline.build). no_verdict: the baseline's binaries cannot run here, and why; nothing of them may be judged. interrupted:
/// what was measured is saved. Other errors are those of measuring.
base::Result<PairsFromStart> measure_from_start(const FromStart& wanted, const record::Run& baseline,
                                                const baselines::Store* store, const RecordedFiles& files,
                                                const policy::Policy& policy, Narrator& narrator);

}  // namespace torchgate::workflow
