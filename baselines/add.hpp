// SPDX-License-Identifier: Apache-2.0
// Which runs may enter a store, and with what. Refusals are bad_input and say what to do instead.
//
// A baseline must be reproducible: one side, complete, of a commit whose tracked files were not modified. A run in
// which some processes crashed is taken as long as one case was measured: the cases that failed have no numbers, so
// they are simply not in the baseline; refusing the run would punish every other case for one flaky group.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "baselines/store.hpp"
#include "harness/base/result.hpp"
#include "harness/record/run.hpp"

namespace torchgate::baselines {

struct AddOptions {
  bool as_baseline_of_commit = true;  ///< false: keep a run of an uncommitted tree too, as nobody's baseline
  bool keep_objects = true;           ///< keep executables and non-system libraries, so that suspects can be confirmed
};

struct AddReport {
  PutOutcome run = PutOutcome::added;
  std::size_t objects_added = 0;
  std::size_t objects_already_there = 0;
  /// Objects that could not be kept (changed or gone since the run), as sentences. The run is in the store all the
  /// same, but suspects of the suites concerned can be confirmed only while or when those objects are found elsewhere.
  std::vector<std::string> not_kept;
};

/// Checks RUN, keeps its objects, then the run itself with the raw samples it holds: a run that is listed has its
/// objects. To keep the samples of a run read from a file, call record::load_samples first.
base::Result<AddReport> add_run(Store& store, const record::Run& run, const AddOptions& options);

}  // namespace torchgate::baselines
