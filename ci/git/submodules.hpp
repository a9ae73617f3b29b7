// SPDX-License-Identifier: Apache-2.0
// The submodules of a second work tree: `git worktree add` leaves their folders empty.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ci/git/repository.hpp"
#include "harness/base/result.hpp"

namespace torchgate::git {

/// Checks the submodules of TREE, a work tree of REPOSITORY, out at the commits that TREE has, nested ones too: from the checkouts of them that
/// REPOSITORY has, never from the network. Their objects are shared, nothing of REPOSITORY changes. Returns the paths, relative to TREE, of those that
/// are still empty, because REPOSITORY has not checked them out or not that commit. io, interrupted: git failed.
base::Result<std::vector<std::string>> check_out_submodules(const Repository& repository,
                                                            const std::filesystem::path& tree);

}  // namespace torchgate::git
