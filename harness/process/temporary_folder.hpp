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
  /// A new folder that only we can read, below $TMPDIR or /tmp, locked as long as we live; those of this user whose program was
  /// killed are removed on the way. io when it cannot be made.
  static base::Result<TemporaryFolder> create();
  /// The same in PARENT, always with a name of the same length.
  static base::Result<TemporaryFolder> create(const std::filesystem::path& parent);

  /// What programs of this user left that were killed while they measured.
  static void remove_abandoned();

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
