// SPDX-License-Identifier: Apache-2.0
// A side of pairs from a record: its suites as they were recorded, ready to run.
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "baselines/store.hpp"
#include "ci/workflow/pairs/what_ran.hpp"
#include "ci/workflow/workspace/recorded_files.hpp"
#include "harness/base/result.hpp"
#include "harness/launch/request.hpp"
#include "harness/process/temporary_folder.hpp"
#include "harness/record/run.hpp"

namespace torchgate::workflow {

/// For restored files of PAIRS: a temporary folder, which is in .torchgate where ranks run on several nodes, as all of them see that one.
base::Result<process::TemporaryFolder> folder_for_restored(const launch::Request& pairs);

struct Runnable {
  launch::SideRequest side;
  ExpectedOfSuites expected;  ///< what its processes have to load
};

/// The executables and libraries of SUITES as RUN recorded them, in place or restored below FOLDER. not_found: some are missing
/// (baselines::materialize).
base::Result<Runnable> runnable(const std::string& label, const record::Run& run, const std::set<std::string>& suites,
                                const baselines::Store* store, const RecordedFiles& files,
                                const std::filesystem::path& folder);

/// Whether BASELINE's commit may be rebuilt: it is in the store, or was measured here. Any other record may name an arbitrary commit, and
/// building it runs that commit's code.
bool is_known(const record::Run& baseline, const baselines::Store* store, const RecordedFiles& files);

/// Lets SIDE, which runs the baseline's binaries, read what BASELINE had read, and not what the change made of it. What cannot be
/// restored, the pairs' record shows (gate::PairInputs).
base::Result<void> restore_inputs(const baselines::Store& store, const record::Run& baseline,
                                  const std::set<std::string>& suites, const std::filesystem::path& folder,
                                  launch::SideRequest& side);

}  // namespace torchgate::workflow
