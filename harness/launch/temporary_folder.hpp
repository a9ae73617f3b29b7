// SPDX-License-Identifier: Apache-2.0
// A folder that is removed with its owner.
#pragma once

#include <filesystem>

#include "harness/record/result.hpp"

namespace torchgate::launch {

class TemporaryFolder {
 public:
  /// A new folder that only we can read, below $TMPDIR or /tmp. io when it cannot be made.
  static record::Result<TemporaryFolder> create();
  /// The same in PARENT, always with a name of the same length.
  static record::Result<TemporaryFolder> create(const std::filesystem::path& parent);

  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

}  // namespace torchgate::launch
