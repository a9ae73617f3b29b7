// SPDX-License-Identifier: Apache-2.0
// The exact number of kernels and copies that a call queues on the CUDA device: the nodes of a graph that records it.
#pragma once

#include <cstdint>
#include <functional>

#include "harness/base/result.hpp"

namespace torchgate::bench {

struct LaunchCounts {
  std::int64_t kernels = 0;
  std::int64_t copies = 0;  ///< of memory, and fills of it

  bool operator==(const LaunchCounts&) const = default;
};

/// Runs `call` on a stream of its own until its allocations are cached, then records it into a graph whose nodes are
/// counted: the recorded call is not executed. An error gives the reason why it cannot be recorded, such as waiting for
/// the device or drawing random numbers on it; LibTorch and the device are then unchanged. Never throws.
base::Result<LaunchCounts> count_launches(const std::function<void()>& call);

}  // namespace torchgate::bench
