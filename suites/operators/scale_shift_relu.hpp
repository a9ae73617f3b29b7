// SPDX-License-Identifier: Apache-2.0
// The arithmetic of the suite's own operators: the same loop behind each way of registering one.
#pragma once

#include <algorithm>
#include <cstdint>

namespace torchgate::suites {

/// to[i] = max(scale * from[i] + shift, 0), in one pass.
inline void scale_shift_relu_into(float* __restrict to, const float* __restrict from, std::int64_t count, float scale,
                                  float shift) {
  // Blocks of a known size: compilers make vector instructions of them without -O3.
  constexpr std::int64_t block = 16;
  std::int64_t i = 0;
  for (; i + block <= count; i += block) {
    for (std::int64_t j = 0; j < block; ++j) to[i + j] = std::max(scale * from[i + j] + shift, 0.0F);
  }
  for (; i < count; ++i) to[i] = std::max(scale * from[i] + shift, 0.0F);
}

}  // namespace torchgate::suites
