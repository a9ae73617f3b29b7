// SPDX-License-Identifier: Apache-2.0
// Recorded runs that the user named.
#pragma once

#include <string>
#include <vector>

#include "baselines/store.hpp"
#include "ci/gate/judge.hpp"
#include "ci/policy/policy.hpp"
#include "ci/workflow/workspace/workspace.hpp"
#include "harness/base/result.hpp"
#include "harness/record/run.hpp"
#include "reports/report.hpp"

namespace torchgate::cli {

/// The run of that name, file or id in WORKSPACE, or of that id in the store of the policy, which is opened only then; with raw samples if
/// they are stored.
base::Result<record::Run> load_named(const std::string& name, const workflow::Workspace& workspace,
                                     const policy::Policy& policy);
/// The same, where FOUND is what the workspace has already answered.
base::Result<record::Run> else_stored(base::Result<record::Run> found, const std::string& name,
                                      const workflow::Workspace& workspace, const policy::Policy& policy);

/// BEFORE and AFTER, which must outlive it, as the two named sides, with what is known of the machine's noise; their cases of one program have the
/// same names afterwards. STORE may be nullptr.
base::Result<gate::Comparison> comparison_of_named(record::Run& before, record::Run& after,
                                                   const baselines::Store* store, const policy::Policy& policy);

/// The report of such a comparison. VARY: facts that differ on purpose.
base::Result<reports::Report> judge_named(const gate::Comparison& comparison, const std::vector<std::string>& vary,
                                          const policy::Policy& policy);

}  // namespace torchgate::cli
