// SPDX-License-Identifier: Apache-2.0
// Selects the runs that a run is judged against: named ones, or those of the preceding commit.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "baselines/store.hpp"
#include "ci/workflow/workspace/workspace.hpp"
#include "harness/base/result.hpp"
#include "harness/record/run.hpp"

namespace torchgate::workflow {

struct Baseline {
  std::vector<record::Run> runs;  ///< [0] is the nearest
  std::vector<std::string> notes;
  std::vector<std::string> doubts;
  std::optional<std::string>
      nearer_elsewhere;  ///< id of a run of another host that is of a nearer commit than runs[0]; one of `doubts` is about it
};

struct BaselineChoice {
  bool skip_own_commit = false;      ///< earlier runs of the same commit are not its baseline: a push that is run again
  std::vector<std::string> planned;  ///< ids of the runs that a pair plan was made with, nearest first; empty: no plan
  bool another_host = false;         ///< the host has no usable run: the nearest one of another host, for pairs alone
};

/// The runs of the commit before CURRENT's, or of its nearest ancestor with a run on this host, pooled with earlier
/// ones. Raw samples of the nearest run are loaded if they are stored.
/// The planned runs are taken instead if all of them are stored for these commits, and every other run that is as near was
/// measured too late for the plan to know it; otherwise the nearest ones are, and the pairs are of another plan.
base::Result<Baseline> choose_baseline(const baselines::Store& store, const record::Run& current,
                                       const BaselineChoice& choice = {});

/// The plan was made with a run of another host than CURRENT's, when this host had none: the same has to judge its pairs.
bool is_planned_elsewhere(const baselines::Store& store, const record::Run& current, const BaselineChoice& choice);

/// The runs with these NAMES; the first is the nearest. bad_input: they come from different hosts.
base::Result<Baseline> named_baseline(const std::vector<std::string>& names, const Workspace& workspace,
                                      const baselines::Store* store);

/// Loads a run from the workspace, else from STORE (nullptr: no store).
base::Result<record::Run> load_anywhere(const std::string& name, const Workspace& workspace,
                                        const baselines::Store* store);

}  // namespace torchgate::workflow
