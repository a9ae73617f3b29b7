// SPDX-License-Identifier: Apache-2.0
// What LibTorch offers only in libtorch_cuda. In a build without CUDA the functions throw: no case calls them there.
#pragma once

#include <torch/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace torchgate::suites {

/// What the functions throw in a build without CUDA, and the reason why its cases are skipped.
inline constexpr const char* built_without_cuda = "no CUDA device: built with a LibTorch without CUDA";

/// For needs(): absent if the current device has this compute capability (8.9 is 89) or a higher one, otherwise the reason.
std::function<std::optional<std::string>()> compute_capability(int least);

/// Memory of the current device in bytes.
std::size_t device_memory();
/// LibTorch refuses to allocate more than this share of the device's memory.
void limit_memory(double share);

/// NCCL's all-reduce in a world of this one device: `to` becomes `from`.
void all_reduce_of_one(const torch::Tensor& from, torch::Tensor to);
/// 22705 is NCCL 2.27.5.
std::int64_t nccl_version();

/// For needs(): absent if PartOfDevice can be made in this build, otherwise the reason.
std::optional<std::string> no_green_contexts();

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
