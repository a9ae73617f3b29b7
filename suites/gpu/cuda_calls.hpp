// SPDX-License-Identifier: Apache-2.0
// What LibTorch offers only in libtorch_cuda. In a build without CUDA the functions throw: no case calls them there.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace torchgate::suites {

/// For needs(): absent if the current device has this compute capability (8.9 is 89) or a higher one, otherwise the reason.
std::function<std::optional<std::string>()> compute_capability(int least);

/// Memory of the current device in bytes.
std::size_t device_memory();
/// LibTorch refuses to allocate more than this share of the device's memory.
void limit_memory(double share);

/// Whether LibTorch's allocator notes each allocation, with a stack trace, for a memory snapshot.
void record_memory_history(bool recorded);

/// A part of the device's multiprocessors (a CUDA green context).
class PartOfDevice {
 public:
  explicit PartOfDevice(double share);
  ~PartOfDevice();
  PartOfDevice(const PartOfDevice&) = delete;
  PartOfDevice& operator=(const PartOfDevice&) = delete;
  /// Runs `work` on these multiprocessors; the current stream waits for it.
  void run(const std::function<void()>& work);

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

}  // namespace torchgate::suites
