// SPDX-License-Identifier: Apache-2.0
// Only one torchgate process measures on a machine at a time: two would disturb each other's timings.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>

#include "harness/process/descriptor.hpp"

namespace torchgate::launch {

class MachineLock {
 public:
  /// Takes the lock on FILE (created if missing; kept afterwards). If another process has it, ON_WAIT is called once,
  /// at once, with the holder. After WAIT, on an interruption, or if FILE cannot be used, it continues without the
  /// lock; it does not wait for a process of another user that is not torchgate. OWN_FILE, if any, is then locked
  /// instead: runs of this user still exclude each other.
  static MachineLock take(const std::filesystem::path& file, std::chrono::nanoseconds wait,
                          const std::function<void(const std::string&)>& on_wait,
                          const std::filesystem::path& own_file = {});

  [[nodiscard]] bool held() const { return descriptor_.open(); }
  /// Why the lock is not held, or only the one of this user, as a sentence for Run::warnings.
  [[nodiscard]] const std::string& warning() const { return warning_; }

 private:
  MachineLock(process::Descriptor descriptor, std::string warning)
      : descriptor_(std::move(descriptor)), warning_(std::move(warning)) {}

  process::Descriptor descriptor_;  // flock belongs to the open file: it ends with it, even when we are killed
  std::string warning_;
};

/// A file in a folder that only this user can write to ($XDG_RUNTIME_DIR, else $HOME/.cache); empty: none.
std::filesystem::path own_lock_file();

}  // namespace torchgate::launch
