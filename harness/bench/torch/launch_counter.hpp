// SPDX-License-Identifier: Apache-2.0
// How many kernels and copies a call queues on the CUDA device, exactly: what a graph that records it is made of.
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

/// Runs `call` on a stream of its own until that has what it allocates, then records it into a graph that is counted and
/// thrown away: the recorded call is not executed. An error says why it cannot be recorded: it waits for the device, or
/// draws random numbers there. LibTorch and the device are as before then. Never throws.
base::Result<LaunchCounts> count_launches(const std::function<void()>& call);

}  // namespace torchgate::bench
