// SPDX-License-Identifier: Apache-2.0
// What the commit that is checked out brought into a folder.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "ci/git/repository.hpp"
#include "harness/base/result.hpp"

namespace torchgate::git {

/// The repository that holds FOLDER; absent where no folder from there upwards has a .git. An error where one has, and git
/// cannot say what is in it.
base::Result<std::optional<Repository>> enclosing_repository(const std::filesystem::path& folder);

/// Paths, relative to the root, that HEAD tracks at or below FOLDER, by FOLDER's own name and by what its links lead to:
/// files, links, submodules; also a link on the way to FOLDER. Empty when FOLDER lies outside of the work tree, or there is no
/// commit yet. A checkout of another branch or repository inside the work tree is not tracked by this one.
base::Result<std::vector<std::string>> tracked_below(const Repository& repository, const std::filesystem::path& folder);

}  // namespace torchgate::git
