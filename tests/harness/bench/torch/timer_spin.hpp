// SPDX-License-Identifier: Apache-2.0
// A kernel of known duration: it ends when the device's own timer says so, whatever the clock does.
#pragma once

#include <cuda_runtime_api.h>

namespace torchgate::bench::testing {

cudaError_t queue_spin(unsigned long long ns, cudaStream_t stream);

}  // namespace torchgate::bench::testing
