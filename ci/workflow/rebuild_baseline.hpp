// SPDX-License-Identifier: Apache-2.0
// A baseline whose binaries are gone, built again from its commit.
#pragma once

#include <string>
#include <vector>

#include "ci/policy/policy.hpp"
#include "ci/workflow/build_folder.hpp"
#include "ci/workflow/commit_build.hpp"
#include "ci/workflow/narrator.hpp"
#include "harness/launch/launcher.hpp"
#include "harness/record/run.hpp"

namespace torchgate::workflow {

struct RebuiltBaseline {
  BuildFolder folder;  // first, so that it goes last
  BuiltCommit built;
  launch::SideRequest side;
  std::string sentence;  ///< for the report: that this is not what the baseline had run
};

/// Builds the commit of BASELINE by baseline.build of the policy; GONE says why its own binaries cannot be had. PLAN is that
/// of the pairs. Errors: not_found (no baseline.build, or no clean commit), bad_input (it does not build, or its suites lack
/// one of CASES: a stand-in for the baseline that cannot do what the baseline did is none), io, interrupted.
base::Result<RebuiltBaseline> rebuild_baseline(const record::Run& baseline, const base::Error& gone,
                                               const std::vector<std::string>& cases, const launch::Request& plan,
                                               const policy::Policy& policy, Narrator& narrator);

}  // namespace torchgate::workflow
