// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/torch/counting_allocator.hpp"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/alignment.h>
#include <c10/core/impl/alloc_cpu.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <new>

namespace torchgate::bench {
namespace {

// LibTorch's own CPU allocator is registered with priority 0.
constexpr std::uint8_t priority_over_default = 100;

struct Counters {
  std::atomic<bool> counting{false};
  std::atomic<std::int64_t> allocations{0};
  std::atomic<std::int64_t> bytes{0};
  std::atomic<std::int64_t> live{0};  // relative to the start: below 0 when older tensors are freed
  std::atomic<std::int64_t> peak{0};
};

Counters& counters() {
  static Counters all;
  return all;
}

void add_live(std::int64_t bytes) {
  Counters& c = counters();
  const std::int64_t now = c.live.fetch_add(bytes) + bytes;
  std::int64_t peak = c.peak.load();
  while (now > peak && !c.peak.compare_exchange_weak(peak, now)) {
  }
}

// A header before every block stores its size, to be subtracted when it is freed. The size cannot be stored in a
// context of its own: oneDNN allocates by raw_allocate(), for which LibTorch requires that the context is the data. A
// header of one alignment unit of LibTorch preserves the alignment of the data.
struct Header {
  std::int64_t bytes;
};
constexpr std::size_t header_bytes = c10::gAlignment;
static_assert(sizeof(Header) <= header_bytes);

void release(void* data) {
  if (data == nullptr) return;
  auto* begin = static_cast<std::byte*>(data) - header_bytes;
  if (counters().counting.load(std::memory_order_relaxed)) {
    counters().live.fetch_sub(reinterpret_cast<const Header*>(begin)->bytes);
  }
  c10::free_cpu(begin);
}

class CountingAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t size) override {
    if (size == 0)
      return {nullptr, nullptr, &release, c10::Device(c10::kCPU)};  // like LibTorch's allocator: nothing to free
    auto* begin = static_cast<std::byte*>(c10::alloc_cpu(size + header_bytes));
    const auto bytes = static_cast<std::int64_t>(size);
    new (begin) Header{bytes};
    if (counters().counting.load(std::memory_order_relaxed)) {
      counters().allocations.fetch_add(1);
      counters().bytes.fetch_add(bytes);
      add_live(bytes);
    }
    void* data = begin + header_bytes;
    return {data, data, &release, c10::Device(c10::kCPU)};
  }
  [[nodiscard]] c10::DeleterFnPtr raw_deleter() const override { return &release; }
  void copy_data(void* to, const void* from, std::size_t bytes) const override { default_copy_data(to, from, bytes); }
};

}  // namespace

void install_counting_allocator() {
  static CountingAllocator allocator;
  c10::SetCPUAllocator(&allocator, priority_over_default);
}

void start_counting_allocations() {
  Counters& c = counters();
  c.allocations = 0;
  c.bytes = 0;
  c.live = 0;
  c.peak = 0;
  c.counting = true;
}

AllocationCounts stop_counting_allocations() {
  Counters& c = counters();
  c.counting = false;
  return {c.allocations.load(), c.bytes.load(), c.peak.load(), std::max<std::int64_t>(0, c.live.load())};
}

}  // namespace torchgate::bench
