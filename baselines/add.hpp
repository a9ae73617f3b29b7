// SPDX-License-Identifier: Apache-2.0
// Adding runs to a store, with their files. Refusals are bad_input with an alternative.
//
// A baseline must be reproducible: one side, complete, of a commit whose tracked files were not modified. A run in
// which some processes crashed is accepted if at least one case was measured: failed cases have no measurements, so they
// are not in the baseline; refusing the run would lose all other cases because of one flaky group.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "baselines/store.hpp"
#include "harness/base/result.hpp"
#include "harness/record/run.hpp"

namespace torchgate::baselines {

struct AddOptions {
  bool as_baseline_of_commit =
      true;                  ///< false: store also a run of a modified tree, without being the baseline of a commit
  bool keep_objects = true;  ///< keep executables and non-system libraries, so that suspects can be confirmed
  /// Files that its suites read are kept with the objects when they lie below this folder: the work tree. Empty: none.
  std::filesystem::path keep_files_below = {};
};

struct AddReport {
  PutOutcome run = PutOutcome::added;
  std::size_t objects_added = 0;
  std::size_t objects_already_there = 0;
  std::size_t files_kept = 0;  ///< read by its suites (read_file_limits.hpp)
  /// Objects that could not be stored (changed or removed since the run), as sentences. The run is stored
  /// nevertheless, but suspects of these suites can be confirmed only while those objects are found elsewhere.
  std::vector<std::string> not_kept;
};

/// Checks RUN, stores its objects, then the run itself with the raw samples it holds: a run that is listed has its
/// objects. To keep the samples of a run read from a file, call record::load_samples first.
base::Result<AddReport> add_run(Store& store, const record::Run& run, const AddOptions& options);

/// Stores only the objects of RUN, which may be one shard of a run: each machine keeps what it measured, and the merged run is added
/// elsewhere without them.
base::Result<AddReport> add_objects(Store& store, const record::Run& run,
                                    const std::filesystem::path& keep_files_below = {});

}  // namespace torchgate::baselines
