// SPDX-License-Identifier: Apache-2.0
// The folder in which commits are built: .torchgate/work_trees/<number>, locked by this process.
#pragma once

#include <filesystem>
#include <utility>

#include "ci/git/repository.hpp"
#include "harness/base/result.hpp"
#include "harness/process/descriptor.hpp"

namespace torchgate::workflow {

/// The subfolder of the workspace that contains the work trees.
inline constexpr const char* work_trees_folder = "work_trees";

/// PATH is below such a folder: what is built there goes with its work tree.
bool is_in_work_tree(const std::filesystem::path& path);

/// Uses the lowest number that no other torchgate process has locked, so that the next build has the same paths and
/// hits the compiler cache. The lock ends with this process, so the leftovers of a killed process are found and
/// removed.
class BuildFolder {
 public:
  /// Below WORKSPACE (.torchgate); the path is absolute. io: the folder cannot be created.
  static base::Result<BuildFolder> take(const std::filesystem::path& workspace, const git::Repository& repository);

  BuildFolder(BuildFolder&& other) noexcept : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}
  BuildFolder& operator=(BuildFolder&&) = delete;
  ~BuildFolder();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  BuildFolder(std::filesystem::path path, process::Descriptor lock) : path_(std::move(path)), lock_(std::move(lock)) {}

  std::filesystem::path path_;
  process::Descriptor lock_;
};

}  // namespace torchgate::workflow
