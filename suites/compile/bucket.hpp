// SPDX-License-Identifier: Apache-2.0
// Sizes rounded up to the next bucket, so that one program serves several of them.
#pragma once

#include <cstdint>

namespace torchgate::suites::compile {

/// The smallest multiple of `width` that is at least `size`; `size` itself for a width of 1. REQUIRES: both above 0.
constexpr std::int64_t bucket_of(std::int64_t size, std::int64_t width) {
  return (size + width - 1) / width * width;
}
static_assert(bucket_of(100, 32) == 128 && bucket_of(128, 32) == 128 && bucket_of(129, 32) == 160);
static_assert(bucket_of(100, 1) == 100);

}  // namespace torchgate::suites::compile
