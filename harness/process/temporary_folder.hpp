// SPDX-License-Identifier: Apache-2.0
// A folder that is removed with its owner.
#pragma once

#include <filesystem>
#include <utility>

#include "harness/base/result.hpp"
#include "harness/process/descriptor.hpp"

namespace torchgate::process {

class TemporaryFolder {
 public:
  /// A new folder that only we can read, below $TMPDIR or /tmp, locked while this program runs; those of killed
  /// programs of this user are removed first. io if it cannot be created.
  static base::Result<TemporaryFolder> create();
  /// The same in PARENT, always with a name of the same length.
  static base::Result<TemporaryFolder> create(const std::filesystem::path& parent);

  /// Folders left by killed programs of this user, below $TMPDIR or /tmp, or in PARENT. Locks hold on this machine only: PARENT must not have folders of others.
  static void remove_abandoned();
  static void remove_abandoned(const std::filesystem::path& parent);

  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  TemporaryFolder(std::filesystem::path path, Descriptor lock) : path_(std::move(path)), lock_(std::move(lock)) {}
  std::filesystem::path path_;
  Descriptor lock_;
};

}  // namespace torchgate::process
