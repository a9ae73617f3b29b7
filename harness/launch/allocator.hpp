// SPDX-License-Identifier: Apache-2.0
// How malloc of a measured process takes memory from the system.
#pragma once

#include <string>
#include <vector>

#include "harness/record/case.hpp"

namespace torchgate::launch {

enum class Allocator {
  steady,  ///< memory that was freed is kept, and comes in huge pages where the system offers them
  system,  ///< as the C library does it
};

/// The variables that a suite process gets for it; empty for `system`. GLIBC_TUNABLES of the calling environment is kept, and wins.
/// A C library other than glibc, and a malloc that was linked or preloaded instead, ignore it.
///
/// glibc gives memory above 128 KiB back to the kernel with each free, or keeps it, depending on the sizes that came before; what was
/// given back is faulted in again, page by page. LibTorch has no cache of its own for CPU tensors, so that the time of a
/// convolution of 8x64x56x56 was 1.5 times as long in one process as in the next (harness/launch/README.md, "The allocator").
std::vector<record::Parameter> allocator_environment(Allocator allocator);

}  // namespace torchgate::launch
