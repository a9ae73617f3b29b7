// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/torch/counting_allocator.hpp"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>

#include <algorithm>
#include <atomic>
#include <memory>

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

struct Block {
  c10::DataPtr data;
  std::int64_t bytes;
};

void release(void* context) {
  const std::unique_ptr<Block> block(static_cast<Block*>(context));
  if (counters().counting.load(std::memory_order_relaxed)) counters().live.fetch_sub(block->bytes);
}

class CountingAllocator final : public c10::Allocator {
 public:
  explicit CountingAllocator(c10::Allocator* base) : base_(base) {}

  c10::DataPtr allocate(std::size_t size) override {
    auto block = std::make_unique<Block>(Block{base_->allocate(size), static_cast<std::int64_t>(size)});
    if (counters().counting.load(std::memory_order_relaxed)) {
      counters().allocations.fetch_add(1);
      counters().bytes.fetch_add(block->bytes);
      add_live(block->bytes);
    }
    void* data = block->data.get();
    return {data, block.release(), &release, c10::Device(c10::kCPU)};
  }
  // The context is not the data: raw_allocate() has to go elsewhere, and LibTorch asks for that with a null deleter.
  [[nodiscard]] c10::DeleterFnPtr raw_deleter() const override { return nullptr; }
  void copy_data(void* to, const void* from, std::size_t bytes) const override { default_copy_data(to, from, bytes); }

 private:
  c10::Allocator* base_;
};

}  // namespace

void install_counting_allocator() {
  static CountingAllocator allocator(c10::GetAllocator(c10::kCPU));
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
  return {c.allocations.load(), c.bytes.load(), c.peak.load()};
}

}  // namespace torchgate::bench
