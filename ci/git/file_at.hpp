// SPDX-License-Identifier: Apache-2.0
// What a file said at a commit, without touching the work tree.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "ci/git/repository.hpp"
#include "harness/base/result.hpp"

namespace torchgate::git {

/// The content at COMMIT of the file with this path (relative to the root, without ".."); absent when the commit has no such
/// file. bad_input: it is a folder or a symbolic link there, or larger than run_git keeps. COMMIT is a full hash.
base::Result<std::optional<std::string>> file_at(const Repository& repository, const std::string& commit,
                                                 const std::filesystem::path& path);

}  // namespace torchgate::git
