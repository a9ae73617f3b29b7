// SPDX-License-Identifier: Apache-2.0
// One torchgate measures on a machine at a time: two would ruin each other's timings.
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
  /// Takes the lock on FILE (made when missing; kept afterwards). ON_WAIT is told once, and at once, who has it when somebody
  /// else does. After WAIT, on an interruption, or where FILE cannot be used at all, it goes on without the lock; a process of
  /// another user that is no torchgate is not waited for. OWN_FILE, if any, is then locked instead: runs of this user still
  /// take turns.
  static MachineLock take(const std::filesystem::path& file, std::chrono::nanoseconds wait,
                          const std::function<void(const std::string&)>& on_wait,
                          const std::filesystem::path& own_file = {});

  [[nodiscard]] bool held() const { return descriptor_.open(); }
  /// Why it is not held, or only that of this user's own runs, as a sentence for Run::warnings.
  [[nodiscard]] const std::string& warning() const { return warning_; }

 private:
  MachineLock(process::Descriptor descriptor, std::string warning)
      : descriptor_(std::move(descriptor)), warning_(std::move(warning)) {}

  process::Descriptor descriptor_;  // flock belongs to the open file: it ends with it, even when we are killed
  std::string warning_;
};

/// A file in a folder that only this user can write to ($XDG_RUNTIME_DIR, else $HOME/.cache); empty: there is none.
std::filesystem::path own_lock_file();

}  // namespace torchgate::launch
