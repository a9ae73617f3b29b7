// SPDX-License-Identifier: Apache-2.0
// A kernel that reads the clock of every multiprocessor. The only file that nvcc compiles; it does not include
// LibTorch, which would take a minute.
#pragma once

#include <cuda_runtime_api.h>

namespace torchgate::bench {

/// The clocks of one multiprocessor (SM). Clock counters of different SMs are not comparable.
struct ClockStamp {
  unsigned long long cycles = 0;
  unsigned long long timer_ns = 0;  ///< %globaltimer
  unsigned int taken = 0;           ///< 0: no block of the kernel came to this SM
};

/// The number of stamps; no device has more multiprocessors.
inline constexpr unsigned int most_multiprocessors = 512;

/// Clears and fills most_multiprocessors stamps in device memory. `blocks`: some more than there are multiprocessors.
cudaError_t queue_clock_stamps(ClockStamp* stamps, unsigned int blocks, cudaStream_t stream);

}  // namespace torchgate::bench
