// SPDX-License-Identifier: Apache-2.0
// What --before and --after of `ab` name, made ready to run: paths as they are, commits built.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ci/policy/policy.hpp"
#include "ci/workflow/build_folder.hpp"
#include "ci/workflow/commit_build.hpp"
#include "ci/workflow/narrator.hpp"
#include "harness/launch/launcher.hpp"

namespace torchgate::workflow {

/// Two sides as a user names them.
struct AbChoice {
  std::vector<std::string> before;   ///< paths, or one commit
  std::vector<std::string> after;    ///< the same
  std::optional<std::string> build;  ///< the command that builds a commit
  std::vector<std::string> suites;   ///< of a commit, relative to its work tree; empty: run.suites
};

/// Work trees live as long as it does.
struct AbSides {
  std::optional<BuildFolder> folder;  // first, so that it goes last
  std::vector<BuiltCommit> built;
  std::vector<launch::SideRequest> sides;  ///< before, after
};

/// Each value is a path where there is one of that name (a note says so when it is a commit's name too), else a commit.
/// Where a path's files come from is not known and not guessed. Errors: bad_input (neither; commits without --build; --build
/// without a commit; a side that is several commits), and those of build_commit.
base::Result<AbSides> prepare_sides(const AbChoice& choice, const policy::Policy& policy, Narrator& narrator);

}  // namespace torchgate::workflow
