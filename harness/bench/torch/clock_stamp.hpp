// SPDX-License-Identifier: Apache-2.0
// A kernel that reads the clock of every multiprocessor. The one file that nvcc compiles: no LibTorch in it, which would
// take a minute.
#pragma once

#include <cuda_runtime_api.h>

namespace torchgate::bench {

/// What one multiprocessor (SM) said. Clock counters of different SMs have nothing to do with each other.
struct ClockStamp {
  unsigned long long cycles = 0;
  unsigned long long timer_ns = 0;  ///< %globaltimer
  unsigned int taken = 0;           ///< 0: no block of the kernel came to this SM
};

/// Multiprocessors that have a place; more than any device has.
inline constexpr unsigned int most_multiprocessors = 512;

/// Clears and fills most_multiprocessors stamps in device memory. `blocks`: some more than there are multiprocessors.
cudaError_t queue_clock_stamps(ClockStamp* stamps, unsigned int blocks, cudaStream_t stream);

}  // namespace torchgate::bench
