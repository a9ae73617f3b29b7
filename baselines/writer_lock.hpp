// SPDX-License-Identifier: Apache-2.0
// Excludes other writers of records from a folder store.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>

#include "harness/base/result.hpp"

namespace torchgate::baselines {

/// What a program does while it waits for another writer.
struct LockWait {
  std::function<void(const std::string&)> tell = {};  ///< called once: for what, and for how long at most
  std::function<bool()> stop = {};                    ///< asked while waiting: true ends it
  std::chrono::milliseconds limit = std::chrono::minutes(10);
};

/// For all stores of this program; before that it waits in silence. Not while another thread uses a store.
void set_lock_wait(LockWait wait);

/// One writer of records at a time, so that looking for an id and adding it are one step. The operating system releases
/// it when the process ends, however it ends. Readers need none: a record appears whole.
class WriterLock {
 public:
  /// MARKER: the marker of the store. Waits for another writer, as set_lock_wait() says. io if it cannot be locked, or not within
  /// that time; interrupted.
  static base::Result<WriterLock> take(const std::filesystem::path& marker);
  WriterLock(WriterLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  WriterLock& operator=(WriterLock&&) = delete;
  ~WriterLock();

 private:
  explicit WriterLock(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;
};

}  // namespace torchgate::baselines
