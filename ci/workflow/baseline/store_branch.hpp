// SPDX-License-Identifier: Apache-2.0
// The baseline store on a branch of a remote: how the jobs of a CI system share one. The branch has the files of the store in the same
// layout; a pull copies what the local store lacks, a push appends what the branch lacks. Neither changes or removes a file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ci/workflow/baseline/branch_settings.hpp"  // IWYU pragma: export
#include "harness/base/result.hpp"

namespace torchgate::workflow {

struct PullReport {
  bool branch_exists = false;  ///< else the store is as it was, or new and empty
  std::size_t runs_added = 0;
  std::size_t files_added = 0;  ///< samples, calibrations and objects as well
  std::size_t runs_already_there = 0;
};

/// Copies what the local store lacks; creates a missing store. All files are checked before the first one is written. bad_input, and
/// nothing was written: the branch is not a store of this version or has a file that does not belong into one, a record or another file
/// is not what its name says, a file differs from the local one, or a limit is exceeded. not_found: no such remote. io, interrupted.
base::Result<PullReport> pull_store(const StoreBranch& where);

struct PushReport {
  std::size_t runs_added = 0;
  std::size_t files_added = 0;
  std::size_t runs_already_there = 0;
  int pushes = 0;                     ///< attempts; 0: there was nothing to add
  std::optional<std::string> commit;  ///< the one that was pushed; absent if none was, or its answer was lost
};

/// Appends the local store's baselines (not the runs of no commit) and calibrations that the branch lacks, with objects of at most
/// OBJECTS_UP_TO bytes of the runs that are added. Creates a missing branch. Never by force: when another push wins, fetches and tries
/// again. Errors as of pull_store; also no_verdict (no local store), bad_input (in a pull request, whose runs are not baselines) and
/// io (refused, or all attempts lost; the local store still has everything).
base::Result<PushReport> push_store(const StoreBranch& where, std::uint64_t objects_up_to);

}  // namespace torchgate::workflow
