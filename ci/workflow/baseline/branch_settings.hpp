// SPDX-License-Identifier: Apache-2.0
// Where the shared store is, and what is accepted of it (store_branch.hpp).
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
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

}  // namespace torchgate::workflow
