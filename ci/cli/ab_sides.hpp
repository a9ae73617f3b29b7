// SPDX-License-Identifier: Apache-2.0
// What --before and --after of `ab` name, made ready to run: paths as they are, commits built.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ci/cli/arguments.hpp"
#include "ci/cli/commit_build.hpp"
#include "ci/cli/console.hpp"
#include "ci/policy/policy.hpp"
#include "ci/workflow/build_folder.hpp"
#include "harness/launch/launcher.hpp"

namespace torchgate::cli {

/// Work trees live as long as it does.
struct AbSides {
  std::optional<workflow::BuildFolder> folder;  // first, so that it goes last
  std::vector<BuiltCommit> built;
  std::vector<launch::SideRequest> sides;  ///< before, after
};

/// Each value is a path where there is one of that name (a note says so when it is a commit's name too), else a commit.
/// Where a path's files come from is not known and not guessed. Errors: bad_input (neither; commits without --build; --build
/// without a commit; a side that is several commits), and those of build_commit.
base::Result<AbSides> prepare_sides(const AbCommand& command, const policy::Policy& policy, const Console& console);

}  // namespace torchgate::cli
