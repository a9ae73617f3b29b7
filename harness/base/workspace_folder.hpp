// SPDX-License-Identifier: Apache-2.0
// Folders of the workspace, which git ignores.
#pragma once

#include <filesystem>
#include <system_error>

namespace torchgate::base {

/// std::filesystem::create_directories. Where FOLDER is the workspace (.torchgate) or below it, the workspace also gets a .gitignore that
/// ignores everything in it, unless it has a file of that name that is not empty: a committed run or store is refused as evidence, and `git checkout` of a
/// commit without it deletes it.
void create_folders(const std::filesystem::path& folder, std::error_code& failed);

}  // namespace torchgate::base
