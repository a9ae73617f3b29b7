// SPDX-License-Identifier: Apache-2.0
// Recorded runs that the user named.
#pragma once

#include <string>

#include "ci/gate/judge.hpp"
#include "ci/policy/policy.hpp"
#include "ci/workflow/workspace/workspace.hpp"
#include "harness/base/result.hpp"
#include "harness/record/run.hpp"

namespace torchgate::cli {

/// The run of that name, file or id in WORKSPACE, or of that id in the store of the policy, which is opened only then; with raw samples if
/// they are stored.
base::Result<record::Run> load_named(const std::string& name, const workflow::Workspace& workspace,
                                     const policy::Policy& policy);
/// The same, where FOUND is what the workspace has already answered.
base::Result<record::Run> else_stored(base::Result<record::Run> found, const std::string& name,
                                      const workflow::Workspace& workspace, const policy::Policy& policy);

/// BEFORE and AFTER, which must outlive it, as the two named sides; their cases of one program have the same names afterwards.
gate::Comparison comparison_of_named(record::Run& before, record::Run& after);

}  // namespace torchgate::cli
