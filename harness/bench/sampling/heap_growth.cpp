// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/sampling/heap_growth.hpp"

#include <malloc.h>

#include <algorithm>
#include <cmath>

namespace torchgate::bench {
namespace {

constexpr std::int64_t fewest_calls = 4;  // of a round: growth in fewer could be one block of a cache
constexpr std::int64_t most_calls = 64;   // enough to detect a leak
// Bytes per call: the smallest block that glibc allocates is 32, with its header.
constexpr double smallest_growth = 16;
// A thread's cache returns up to seven blocks of a size that already count as used.
constexpr double rounds_agree_within = 0.15;
// Of the calls of a round, a leak grows the heap in at least this share. Caches of the allocator and of threads take a
// block in one call of ten, round after round, which over few calls is 20 bytes and more per call.
constexpr double growing_share = 1.0 / 3;
// In two calls of four, in both rounds and by the same amount, caches of a busy machine's threads took blocks, too.
constexpr std::int64_t fewest_growing = 3;

}  // namespace

std::optional<std::int64_t> heap_bytes_in_use() {
#ifdef __GLIBC__
  const struct mallinfo2 info = mallinfo2();
  return static_cast<std::int64_t>(info.uordblks + info.hblkhd);
#else
  return std::nullopt;
#endif
}

std::optional<double> heap_growth_per_call(const std::function<void()>& call, std::int64_t affordable_calls,
                                           const std::function<std::optional<std::int64_t>()>& in_use) {
  const std::int64_t calls = std::min(most_calls, affordable_calls / 2);
  if (calls < fewest_calls) return std::nullopt;
  const auto round = [&]() -> std::optional<double> {
    const auto start = in_use();
    auto last = start;
    std::int64_t growing = 0;
    for (std::int64_t i = 0; i < calls && last; ++i) {
      const std::int64_t before = *last;
      call();
      last = in_use();
      growing += last && *last > before;
    }
    if (!start || !last) return std::nullopt;
    const double fewest = std::max(static_cast<double>(fewest_growing), growing_share * static_cast<double>(calls));
    if (static_cast<double>(growing) < fewest) return std::nullopt;
    return static_cast<double>(*last - *start) / static_cast<double>(calls);
  };
  // Both rounds in any case: several ranks have to make the same calls, whatever each of them sees.
  const auto first = round();
  const auto second = round();
  if (!first || !second || *first < smallest_growth || *second < smallest_growth) return std::nullopt;
  if (std::abs(*second - *first) > rounds_agree_within * *first) return std::nullopt;
  return *second;
}

}  // namespace torchgate::bench
