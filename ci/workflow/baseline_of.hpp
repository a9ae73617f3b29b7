// SPDX-License-Identifier: Apache-2.0
// Selects the runs that a run is judged against: named ones, or those of the preceding commit.
#pragma once

#include <string>
#include <vector>

#include "baselines/store.hpp"
#include "ci/workflow/workspace.hpp"
#include "harness/base/result.hpp"
#include "harness/record/run.hpp"

namespace torchgate::workflow {

struct Baseline {
  std::vector<record::Run> runs;  ///< [0] is the nearest
  std::vector<std::string> notes;
  std::vector<std::string> doubts;
};

/// The runs of the commit before CURRENT's, or of its nearest ancestor with a run on this host, pooled with earlier
/// ones. Raw samples of the nearest run are loaded if they are stored.
base::Result<Baseline> choose_baseline(const baselines::Store& store, const record::Run& current);

/// The runs with these NAMES; the first is the nearest. bad_input: they come from different hosts.
base::Result<Baseline> named_baseline(const std::vector<std::string>& names, const Workspace& workspace,
                                      const baselines::Store* store);

/// Loads a run from the workspace, else from STORE (nullptr: no store).
base::Result<record::Run> load_anywhere(const std::string& name, const Workspace& workspace,
                                        const baselines::Store* store);

}  // namespace torchgate::workflow
