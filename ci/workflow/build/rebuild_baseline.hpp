// SPDX-License-Identifier: Apache-2.0
// Rebuilds the commit of a baseline whose binaries are missing.
#pragma once

#include <string>
#include <vector>

#include "ci/policy/policy.hpp"
#include "ci/workflow/build/commit_build.hpp"
#include "ci/workflow/workspace/build_folder.hpp"
#include "ci/workflow/workspace/narrator.hpp"
#include "harness/launch/launcher.hpp"
#include "harness/record/run.hpp"

namespace torchgate::workflow {

struct RebuiltBaseline {
  BuildFolder folder;  // first, so that it is destroyed last
  BuiltCommit built;
  launch::SideRequest side;
  std::string commit;  ///< that was built: full hash
};

/// The note that the before side of pairs was built from COMMIT.
std::string rebuilt_sentence(const std::string& commit);

/// Builds the commit of BASELINE with baseline.build of SETTINGS. GONE is the error for its recorded binaries; PLAN
/// is the request for the pairs. Errors: not_found (no baseline.build, no commit, or a modified work tree), bad_input
/// (the build fails, or its suites lack one of CASES and so cannot replace the baseline), io, interrupted.
base::Result<RebuiltBaseline> rebuild_baseline(const record::Run& baseline, const base::Error& gone,
                                               const std::vector<std::string>& cases, const launch::Request& plan,
                                               const policy::Baseline& settings, const policy::Run& run,
                                               Narrator& narrator);

}  // namespace torchgate::workflow
