// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/sampling/heap_growth.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace torchgate::bench {
namespace {

constexpr std::int64_t many = 1'000;

// The growth that is reported if the calls keep KEPT bytes, one after the other.
std::optional<double> growth(const std::vector<std::int64_t>& kept, std::int64_t affordable = many) {
  std::int64_t in_use = 5'000'000;
  std::size_t calls = 0;
  const auto call = [&] { in_use += kept[calls++ % kept.size()]; };
  return heap_growth_per_call(call, affordable, [&] { return std::optional<std::int64_t>(in_use); });
}

TEST(HeapGrowth, WhatEveryCallKeepsIsFound) {
  EXPECT_EQ(growth({1'024}), 1'024);
  EXPECT_EQ(growth({0, 2'048}), 1'024) << "every other call";
}

TEST(HeapGrowth, FreedMemoryIsNotGrowth) {
  EXPECT_EQ(growth({0}), std::nullopt);
  EXPECT_EQ(growth({4'096, -4'096}), std::nullopt);
  EXPECT_EQ(growth({8}), std::nullopt) << "less than a block of the heap";
}

TEST(HeapGrowth, ACacheThatFillsUpIsNotGrowth) {
  std::vector<std::int64_t> kept(200, 0);
  std::fill(kept.begin(), kept.begin() + 64, 512);  // one round
  EXPECT_EQ(growth(kept), std::nullopt);
}

// The growth of fusion/gelu/fused on an idle machine, where ten calls made a round.
TEST(HeapGrowth, ABlockNowAndThenIsNotGrowth) {
  EXPECT_EQ(growth({208, 896, 0, 0, 0, 224, 48, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1'376, 0}, 20), std::nullopt);
  EXPECT_EQ(growth({0, 0, 0, 224}, 8), std::nullopt);
  EXPECT_EQ(growth({688, 0, 688, 0}, 8), std::nullopt) << "two calls of four";
}

// Ranks that see different heaps and make different numbers of calls wait for each other forever.
TEST(HeapGrowth, TheNumberOfCallsDoesNotDependOnTheHeap) {
  const auto calls_with = [](std::int64_t kept) {
    std::int64_t in_use = 5'000'000;
    std::int64_t calls = 0;
    const auto call = [&] {
      in_use += kept;
      ++calls;
    };
    heap_growth_per_call(call, many, [&] { return std::optional<std::int64_t>(in_use); });
    return calls;
  };
  EXPECT_EQ(calls_with(0), calls_with(4'096));
  EXPECT_GT(calls_with(0), 0);
}

TEST(HeapGrowth, ASlowCallIsNotRepeatedForIt) {
  EXPECT_EQ(growth({1'024}, 8), 1'024) << "two rounds of four";
  EXPECT_EQ(growth({1'024}, 7), std::nullopt);
}

TEST(HeapGrowth, UnknownIsNotZero) {
  EXPECT_EQ(heap_growth_per_call([] {}, many, [] { return std::optional<std::int64_t>(); }), std::nullopt);
}

TEST(HeapGrowth, TheRealHeapShowsARealLeak) {
  const auto before = heap_bytes_in_use();
  const std::vector<char> block(100'000);
  // A sanitizer's allocator answers 0, whatever is in use.
  if (!before || heap_bytes_in_use() == before) GTEST_SKIP() << "the allocator does not say what is in use";
  std::vector<std::unique_ptr<char[]>> kept;
  kept.reserve(1'000);
  const auto leak = [&] { kept.push_back(std::make_unique<char[]>(1'024)); };
  const auto found = heap_growth_per_call(leak, many, &heap_bytes_in_use);
  ASSERT_TRUE(found);
  EXPECT_GE(*found, 1'024);
  EXPECT_LE(*found, 1'072) << "a block has a header, and is rounded up";
  EXPECT_EQ(heap_growth_per_call([] { (void)std::make_unique<char[]>(1'024); }, many, &heap_bytes_in_use),
            std::nullopt);
}

}  // namespace
}  // namespace torchgate::bench
