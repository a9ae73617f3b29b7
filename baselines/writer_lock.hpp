// SPDX-License-Identifier: Apache-2.0
// Excludes other writers of records from a folder store.
#pragma once

#include <filesystem>
#include <utility>

#include "harness/base/result.hpp"

namespace torchgate::baselines {

/// One writer of records at a time, so that looking for an id and adding it are one step. The operating system releases
/// it when the process ends, however it ends. Readers need none: a record appears whole.
class WriterLock {
 public:
  /// MARKER: the marker of the store. Waits for another writer. io if it cannot be locked.
  static base::Result<WriterLock> take(const std::filesystem::path& marker);
  WriterLock(WriterLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  WriterLock& operator=(WriterLock&&) = delete;
  ~WriterLock();

 private:
  explicit WriterLock(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;
};

}  // namespace torchgate::baselines
