// SPDX-License-Identifier: Apache-2.0
// How many bytes the tensors of a case hold at this moment: what a policy reads before a step.
#pragma once

#include <torch/types.h>

#include <atomic>
#include <cstdint>
#include <memory>

namespace torchgate::suites {

/// On a GPU: the statistics of LibTorch's caching allocator, above what was in use when this object was made. LibTorch's CPU
/// allocator has none: there the bytes of all tensors that were made within a Scope of this object and still exist. So several
/// cases that live at the same time do not count each other's tensors.
class BytesInUse {
 public:
  explicit BytesInUse(const torch::Device& device);

  /// Around the building of a case and around each of its calls, one at a time. All tensors that are made on the CPU while it
  /// lives get their memory through an allocator that counts, from the allocator that was installed before.
  class Scope {
   public:
    explicit Scope(const BytesInUse& counted);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    bool is_cpu_;
  };

  [[nodiscard]] std::int64_t operator()() const;

 private:
  torch::Device device_;
  std::shared_ptr<std::atomic<std::int64_t>> on_cpu_;  // shared with the blocks, which may live longer
  std::int64_t before_ = 0;                            // on a GPU
};

}  // namespace torchgate::suites
