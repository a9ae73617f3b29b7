// SPDX-License-Identifier: Apache-2.0
#include "tests/harness/bench/torch/timer_spin.hpp"

namespace torchgate::bench::testing {
namespace {

__device__ unsigned long long timer_ns() {
  unsigned long long now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

__global__ void spin(unsigned long long ns) {
  const unsigned long long begin = timer_ns();
  while (timer_ns() - begin < ns) {
  }
}

}  // namespace

cudaError_t queue_spin(unsigned long long ns, cudaStream_t stream) {
  spin<<<1, 1, 0, stream>>>(ns);
  return cudaGetLastError();
}

}  // namespace torchgate::bench::testing
