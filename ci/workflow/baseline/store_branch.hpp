// SPDX-License-Identifier: Apache-2.0
// The baseline store on a branch of a remote: how the jobs of a CI system share one. The branch has the files of the store in the same
// layout; a pull copies what the local store lacks, a push appends what the branch lacks. Neither changes or removes a file.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "ci/git/remote.hpp"
#include "harness/base/result.hpp"

namespace torchgate::workflow {

/// A branch beyond these is refused before one of its files is read.
struct BranchLimits {
  std::size_t files = 100'000;                           ///< 30 runs a day for five years, with their samples
  std::uint64_t file_bytes = std::uint64_t{100} << 20U;  ///< what GitHub takes
  std::uint64_t total_bytes = std::uint64_t{4} << 30U;   ///< of the files that the local store lacks
};

/// How long a transfer is repeated. The waits double from `first_wait` to `longest_wait`, each multiplied by a random factor between 0.5
/// and 1, so that jobs that started together do not meet again.
struct Repetition {
  int pushes = 20;   ///< that other pushes won: each round, one of those waiting succeeds
  int failures = 3;  ///< transfers that ended without an answer
  std::chrono::milliseconds first_wait{200};
  std::chrono::milliseconds longest_wait{6'400};
  /// Absent: waits, and ends early with `interrupted` when the user asks to stop.
  std::function<base::Result<void>(std::chrono::milliseconds)> wait = {};
};

struct StoreBranch {
  std::string remote = "origin";  ///< a remote of the repository of the working folder, a URL or a folder
  std::string branch;
  std::filesystem::path store;  ///< the local store's folder
  git::Variables variable = git::environment_variable;
  BranchLimits limits = {};
  Repetition repetition = {};
};

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
