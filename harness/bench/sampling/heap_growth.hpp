// SPDX-License-Identifier: Apache-2.0
// Whether every call keeps memory of the heap.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

namespace torchgate::bench {

/// Bytes of the C heap that are in use, over all threads' arenas. Absent if the C library does not provide it (not
/// glibc).
std::optional<std::int64_t> heap_bytes_in_use();

/// Bytes by which the heap grows with every call: two rounds of at most 64 calls, whose growth must agree
/// within 15 % and come from at least a third of each round's calls, and from three; a cache that fills up, or takes a block now and
/// then, does not count. Absent: no growth, `affordable_calls` are fewer than two rounds of four, or unknown. An
/// approximation: the heap rounds up.
std::optional<double> heap_growth_per_call(const std::function<void()>& call, std::int64_t affordable_calls,
                                           const std::function<std::optional<std::int64_t>()>& in_use);

}  // namespace torchgate::bench
