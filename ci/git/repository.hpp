// SPDX-License-Identifier: Apache-2.0
// Questions about commits, answered by the user's own `git` (started directly, never through a shell). Reading only:
// work_tree.hpp makes something.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/result.hpp"

namespace torchgate::git {

struct Head {
  std::string commit;  ///< full hash
  /// Tracked files (of submodules too) differ from it, also those that git was told not to look at (--skip-worktree); untracked files do
  /// not count.
  bool modified = false;
  std::optional<std::string> branch;  ///< absent: detached, as on most CI runners
  std::vector<std::string> modified_files =
      {};  ///< the first four of them, as git writes paths; none that git was told not to look at
};

enum class Walk {
  first_parent,  ///< along the branch the merges went into
  all_parents    ///< everything reachable; no commit before its children, otherwise newest first
};

/// A checked-out work tree. Every error names the folder and carries git's own words. not_found: no git, no such
/// folder, no repository, or a name that names no commit; bad_input: a name that is none, a bare repository; io: git
/// itself failed.
class Repository {
 public:
  /// Any folder inside the work tree.
  static base::Result<Repository> open(const std::filesystem::path& folder);

  [[nodiscard]] const std::filesystem::path& root() const { return root_; }

  /// not_found when there is no commit yet.
  [[nodiscard]] base::Result<Head> head() const;

  /// Full hash of the commit that NAME (branch, tag, abbreviated hash, HEAD~2) means.
  [[nodiscard]] base::Result<std::string> resolve(const std::string& name) const;

  /// Full hash of the commit of a reference by its full name ("refs/remotes/origin/main"): no tag and no branch of that name.
  [[nodiscard]] base::Result<std::string> resolve_reference(const std::string& full_name) const;

  /// The commit object itself is here: not beyond the end of a shallow clone. COMMIT is a full hash.
  [[nodiscard]] bool has_commit(const std::string& commit) const;

  /// Full hashes, nearest first, COMMIT itself being [0]; at most LIMIT of them. In a shallow clone it ends where that
  /// does. WITHOUT, a full hash: none that is in its history, so that there may be none at all; "": all.
  [[nodiscard]] base::Result<std::vector<std::string>> ancestors(const std::string& commit, std::size_t limit,
                                                                 Walk walk, const std::string& without = "") const;

  /// Best common ancestor; absent when the histories have none (or a shallow clone hides it).
  [[nodiscard]] base::Result<std::optional<std::string>> merge_base(const std::string& a, const std::string& b) const;

  /// Names of tags by the full hash of the commit that they mean; of a commit with several, the first by name.
  [[nodiscard]] base::Result<std::map<std::string, std::string>> tags() const;

  /// History ends early here (`git clone --depth`, the default of actions/checkout).
  [[nodiscard]] base::Result<bool> is_shallow() const;

  /// The parents that COMMIT itself names, in order; right in a shallow clone too, where they are named but absent.
  [[nodiscard]] base::Result<std::vector<std::string>> parents(const std::string& commit) const;

  /// The first parent of COMMIT when it is a merge commit (the branch a pull request's merge commit goes into), else absent. TIP is a full hash of
  /// that branch, "" if it is not known: where another parent is in its history and the first one is not, that one ("Merge main into feature",
  /// `git pull`).
  [[nodiscard]] base::Result<std::optional<std::string>> merge_target(const std::string& tip = "",
                                                                      const std::string& commit = "HEAD") const;

 private:
  explicit Repository(std::filesystem::path root) : root_(std::move(root)) {}

  std::filesystem::path root_;
};

}  // namespace torchgate::git
