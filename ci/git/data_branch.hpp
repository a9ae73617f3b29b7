// SPDX-License-Identifier: Apache-2.0
// A branch of a remote that carries data: its files are read and appended to without a clone, and without a trace in the user's
// repository (no reference, no object, no shallow boundary), through an empty repository in a temporary folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "ci/git/remote.hpp"
#include "harness/base/result.hpp"
#include "harness/process/temporary_folder.hpp"

namespace torchgate::git {

/// What git names a regular file that is not executable.
inline constexpr const char* regular_file_mode = "100644";

/// A file of a commit. Nothing about it was checked: the path may be any.
struct BranchFile {
  std::string mode;  ///< "100644"; "120000" is a symbolic link, "160000" a submodule
  std::string type;  ///< "blob"; "commit" is a submodule
  std::string blob;  ///< git's name of the content
  std::uint64_t bytes = 0;
  std::string path;
};

struct NewFile {
  std::string path;               ///< in the branch
  std::filesystem::path content;  ///< the file on disk
};

enum class PushOutcome {
  pushed,
  lost_race,  ///< the branch is another one than was fetched: fetch again
  refused,    ///< a hook, a rule or a permission: no repetition helps
  unclear     ///< no answer: it may have been stored
};

struct PushAnswer {
  PushOutcome outcome = PushOutcome::unclear;
  std::string words;  ///< what git said, without secrets; for messages
};

/// Errors: not_found (no git), io (the remote cannot be reached, git failed), interrupted. They quote git, without secrets.
class DataBranch {
 public:
  /// bad_input: NAME cannot be a branch; git is older than 2.31, which cannot take its configuration from the environment.
  static base::Result<DataBranch> open(Remote remote, const std::string& name);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const Remote& remote() const { return remote_; }

  /// Fetches the newest commit of the branch, without its history. Absent: the remote has no such branch. io also where it has no branch at
  /// all, though the user's repository has fetched some of it.
  [[nodiscard]] base::Result<std::optional<std::string>> fetch() const;

  /// All files of COMMIT, in git's order; of at most process::output_limit_bytes of names.
  [[nodiscard]] base::Result<std::vector<BranchFile>> files(const std::string& commit) const;

  /// Writes these files of COMMIT into a new folder below the temporary one. REQUIRES: regular files, whose paths the caller has
  /// checked.
  [[nodiscard]] base::Result<std::filesystem::path> check_out(const std::string& commit,
                                                              const std::vector<std::string>& paths);

  /// Git's name of the content of each of these files on disk.
  [[nodiscard]] base::Result<std::vector<std::string>> blobs_of(const std::vector<std::filesystem::path>& files) const;

  /// A commit with the files of PARENT and FILES; without one, of FILES alone. Nothing else learns of it until it is pushed.
  [[nodiscard]] base::Result<std::string> commit(const std::optional<std::string>& parent,
                                                 const std::vector<NewFile>& files, const std::string& message);

  /// Makes COMMIT the newest of the branch, if that is still its parent: never by force.
  [[nodiscard]] base::Result<PushAnswer> push(const std::string& commit) const;

 private:
  DataBranch(Remote remote, std::string name, process::TemporaryFolder folder);

  [[nodiscard]] base::Result<std::string> git(const std::string& doing, const std::vector<std::string>& arguments,
                                              const std::vector<record::Parameter>& more = {}) const;
  [[nodiscard]] base::Result<void> check_has_branches(const std::string& doing) const;
  [[nodiscard]] base::Error failed(const std::string& doing, int exit_code, const std::string& words) const;
  [[nodiscard]] std::filesystem::path new_path(const std::string& name);

  Remote remote_;
  std::string name_;
  process::TemporaryFolder folder_;
  std::vector<record::Parameter> environment_;
  int paths_made_ = 0;
};

}  // namespace torchgate::git
