// SPDX-License-Identifier: Apache-2.0
// A second work tree of the user's repository, with one commit in it, that goes away with its owner.
#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "ci/git/repository.hpp"
#include "harness/base/result.hpp"

namespace torchgate::git {

/// What of a commit is written into its work tree.
enum class Content {
  files,
  nothing  ///< for work with git's own state alone: nothing is checked out
};

/// Made by `git worktree add --detach`: the objects are shared, nothing of the user's is: neither their files, index and
/// branches nor their hooks (none runs). The folders of submodules are empty: submodules.hpp.
class WorkTree {
 public:
  /// Checks out COMMIT (a full hash) as FOLDER, which must not exist. not_found, io, interrupted: nothing of it is left.
  static base::Result<WorkTree> add(const Repository& repository, const std::string& commit,
                                    const std::filesystem::path& folder, Content content = Content::files);

  /// Removes a work tree of REPOSITORY and git's entry for it, with all its files; also one whose owner was killed, or of
  /// which only the folder or the entry is left. Continues when the program was asked to stop.
  static void remove(const std::filesystem::path& repository, const std::filesystem::path& folder);

  WorkTree(WorkTree&& other) noexcept
      : repository_(std::move(other.repository_)), path_(std::exchange(other.path_, {})) {}
  WorkTree& operator=(WorkTree&&) = delete;
  // NOLINTNEXTLINE(bugprone-exception-escape): remove() reports nothing; what can escape is std::bad_alloc
  ~WorkTree() {
    if (!path_.empty()) remove(repository_, path_);
  }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  WorkTree(std::filesystem::path repository, std::filesystem::path path)
      : repository_(std::move(repository)), path_(std::move(path)) {}

  std::filesystem::path repository_;
  std::filesystem::path path_;
};

}  // namespace torchgate::git
