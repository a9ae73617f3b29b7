// SPDX-License-Identifier: Apache-2.0
// Calls that are recorded into a CUDA graph: what of them can run at the same time, and their replay. In a build without CUDA everything throws.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <functional>
#include <memory>

namespace torchgate::suites {

/// How many kernels, copies and fills of `call` have to run one after the other: the longest path through its graph. The call runs twice, then
/// it is recorded, which must be possible: it may not wait for the device.
std::int64_t longest_chain(const std::function<void()>& call);

/// A call that the device has as a whole.
class RecordedCall {
 public:
  /// Runs `call` twice, then records it. A replay reads and writes the memory that was used then.
  explicit RecordedCall(const std::function<torch::Tensor()>& call);
  ~RecordedCall();
  RecordedCall(const RecordedCall&) = delete;
  RecordedCall& operator=(const RecordedCall&) = delete;

  /// Queues it on the current stream. Every replay returns the same tensor.
  [[nodiscard]] torch::Tensor replay();

 private:
  struct Graph;
  std::unique_ptr<Graph> graph_;
};

}  // namespace torchgate::suites
