// SPDX-License-Identifier: Apache-2.0
// Counts what LibTorch's CPU allocator hands out, in all threads, while it is told to.
#pragma once

#include <cstdint>

namespace torchgate::bench {

struct AllocationCounts {
  std::int64_t allocations = 0;
  std::int64_t bytes = 0;           ///< sum of all allocations
  std::int64_t peak_bytes = 0;      ///< highest sum of live bytes, above what was live at the start
  std::int64_t retained_bytes = 0;  ///< what is live at the end, above the start; 0 when older tensors were freed
};

/// Puts the counting allocator in the place of LibTorch's own for the rest of the program. Call once, before any tensor is
/// made. Every block is one alignment unit (64 bytes) larger; the counts are what was asked for. LibTorch's own profiler
/// sees no CPU memory events any more.
void install_counting_allocator();

void start_counting_allocations();
AllocationCounts stop_counting_allocations();

}  // namespace torchgate::bench
