// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/sampling/heap_growth.hpp"

#include <malloc.h>

#include <algorithm>
#include <cmath>

namespace torchgate::bench {
namespace {

constexpr std::int64_t fewest_calls = 4;  // of a round: less could be one block of some cache
constexpr std::int64_t most_calls = 64;   // a leak shows in these
constexpr double smallest_growth =
    16;  // bytes per call: the smallest block that glibc hands out is 32, with its header
constexpr double rounds_agree_within =
    0.15;  // a thread's cache gives seven blocks of a size that count as used already

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
    const auto before = in_use();
    for (std::int64_t i = 0; i < calls; ++i) call();
    const auto after = in_use();
    if (!before || !after) return std::nullopt;
    return static_cast<double>(*after - *before) / static_cast<double>(calls);
  };
  const auto first = round();
  const auto second = first ? round() : std::nullopt;
  if (!second || *first < smallest_growth || *second < smallest_growth) return std::nullopt;
  if (std::abs(*second - *first) > rounds_agree_within * *first) return std::nullopt;
  return *second;
}

}  // namespace torchgate::bench
