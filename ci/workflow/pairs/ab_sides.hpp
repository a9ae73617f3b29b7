// SPDX-License-Identifier: Apache-2.0
// Prepares the two sides of `ab` from --before and --after: paths are used as they are, commits are built.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ci/policy/policy.hpp"
#include "ci/workflow/build/commit_build.hpp"
#include "ci/workflow/workspace/build_folder.hpp"
#include "ci/workflow/workspace/narrator.hpp"
#include "harness/launch/launcher.hpp"

namespace torchgate::workflow {

/// Two sides as a user names them.
struct AbChoice {
  std::vector<std::string> before;   ///< paths, or one commit
  std::vector<std::string> after;    ///< the same
  std::optional<std::string> build;  ///< the command that builds a commit
  std::vector<std::string> suites;   ///< of a commit, relative to its work tree; empty: run.suites
};

/// Owns the work trees: they are removed with it.
struct AbSides {
  std::optional<BuildFolder> folder;  // first, so that it is destroyed last
  std::vector<BuiltCommit> built;
  std::vector<launch::SideRequest> sides;  ///< before, after
};

/// A value is a path if a file of that name exists (with a note if it also names a commit), otherwise a commit. The
/// source commit of a path is unknown and stays so. Errors: bad_input (neither a path nor a commit; a commit without
/// --build; --build without a commit; several commits on one side), and those of build_commit.
base::Result<AbSides> prepare_sides(const AbChoice& choice, const policy::Run& policy, Narrator& narrator);

}  // namespace torchgate::workflow
