// SPDX-License-Identifier: Apache-2.0
// The arithmetic of the suite's own operators: the same loop behind each way of registering one.
#pragma once

#include <algorithm>
#include <cstdint>

namespace torchgate::suites {

/// to[i] = max(scale * from[i] + shift, 0), in one pass.
inline void scale_shift_relu_into(float* to, const float* from, std::int64_t count, float scale, float shift) {
  for (std::int64_t i = 0; i < count; ++i) to[i] = std::max(scale * from[i] + shift, 0.0F);
}

}  // namespace torchgate::suites
