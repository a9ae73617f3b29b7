// SPDX-License-Identifier: Apache-2.0
// Which runs a run is judged against: those that were named, or those of the commit before it.
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

/// Of the commit before CURRENT's, or its nearest ancestor with a run on this host; pooled with earlier ones. Raw samples of
/// the nearest are loaded where they are kept.
base::Result<Baseline> choose_baseline(const baselines::Store& store, const record::Run& current);

/// Those of these names, the nearest first. bad_input: they are of different hosts.
base::Result<Baseline> named_baseline(const std::vector<std::string>& names, const Workspace& workspace,
                                      const baselines::Store* store);

/// A run of the workspace, or of the store (nullptr: there is none).
base::Result<record::Run> load_anywhere(const std::string& name, const Workspace& workspace,
                                        const baselines::Store* store);

}  // namespace torchgate::workflow
