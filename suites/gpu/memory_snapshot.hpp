// SPDX-License-Identifier: Apache-2.0
// What LibTorch's allocator of device memory notes of each allocation, and the file that it can be written to: the one that
// https://pytorch.org/memory_viz shows. In a build without CUDA everything throws, but reading a file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace torchgate::suites {

/// While it exists, the allocator notes each allocation and each free. It begins with an empty history and keeps the newest 10,000 entries.
class MemoryHistory {
 public:
  /// Stacks: each allocation is noted with the C++ functions that asked for it.
  enum class Stacks { none, all };
  explicit MemoryHistory(Stacks stacks);
  ~MemoryHistory();
  MemoryHistory(const MemoryHistory&) = delete;
  MemoryHistory& operator=(const MemoryHistory&) = delete;
};

/// Allocations in the history.
std::int64_t noted_allocations();

/// Writes segments, blocks and history as a pickle. Throws std::runtime_error if the file cannot be written.
void write_memory_snapshot(const std::string& path);

struct NotedAllocation {
  std::int64_t number = 0;  ///< from 0, in the order of the history
  std::int64_t bytes = 0;   ///< that were asked for
};
/// What such a file shows as allocated and never freed, by number.
std::vector<NotedAllocation> never_freed(const std::string& path);

}  // namespace torchgate::suites
