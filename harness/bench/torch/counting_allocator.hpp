// SPDX-License-Identifier: Apache-2.0
// Counts the memory allocated by LibTorch's CPU allocator, in all threads, while counting is enabled.
#pragma once

#include <cstdint>

namespace torchgate::bench {

struct AllocationCounts {
  std::int64_t allocations = 0;
  std::int64_t bytes = 0;           ///< sum of all allocations
  std::int64_t peak_bytes = 0;      ///< highest sum of live bytes, above what was live at the start
  std::int64_t retained_bytes = 0;  ///< live bytes at the end, above the start; 0 if older tensors were freed
};

/// Replaces LibTorch's CPU allocator with the counting one for the rest of the program. Call once, before any tensor is
/// made. Every block is one alignment unit (64 bytes) larger; requested bytes are counted. LibTorch's own profiler no
/// longer sees CPU memory events.
void install_counting_allocator();

void start_counting_allocations();
AllocationCounts stop_counting_allocations();

}  // namespace torchgate::bench
