// SPDX-License-Identifier: Apache-2.0
// One torchgate measures on a machine at a time: two would ruin each other's timings.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>

#include "harness/launch/descriptor.hpp"

namespace torchgate::launch {

class MachineLock {
 public:
  /// Takes the lock on FILE (made when missing; kept afterwards). ON_WAIT is told once, when somebody else has it.
  /// After WAIT, on an interruption, or where FILE cannot be used at all, it goes on without the lock.
  static MachineLock take(const std::filesystem::path& file, std::chrono::nanoseconds wait,
                          const std::function<void(const std::string&)>& on_wait);

  [[nodiscard]] bool held() const { return descriptor_.open(); }
  /// Why it is not held, as a sentence for Run::warnings.
  [[nodiscard]] const std::string& warning() const { return warning_; }

 private:
  explicit MachineLock(std::string warning) : warning_(std::move(warning)) {}
  explicit MachineLock(Descriptor descriptor) : descriptor_(std::move(descriptor)) {}

  Descriptor descriptor_;  // flock belongs to the open file: it ends with it, even when we are killed
  std::string warning_;
};

}  // namespace torchgate::launch
