// SPDX-License-Identifier: Apache-2.0
// Where commits are built: .torchgate/work_trees/<number>, ours until we end.
#pragma once

#include <filesystem>
#include <utility>

#include "ci/git/repository.hpp"
#include "harness/base/result.hpp"
#include "harness/process/descriptor.hpp"

namespace torchgate::workflow {

/// Of the workspace: where work trees are.
inline constexpr const char* work_trees_folder = "work_trees";

/// The first number that no other torchgate is using: the next build has the same paths again, which is what a compiler
/// cache goes by. It is held by a lock that ends with us, so what a killed one has left there is found and removed.
class BuildFolder {
 public:
  /// Below WORKSPACE (.torchgate); absolute. io when it cannot be made.
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
