// SPDX-License-Identifier: Apache-2.0
#include "suites/gpu/cached_memory.hpp"

#include <ATen/Context.h>

#include "harness/bench/torch/suite.hpp"

namespace torchgate::suites {
namespace {

constexpr auto all_sizes = static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);
constexpr auto large_sizes = static_cast<std::size_t>(c10::CachingAllocator::StatType::LARGE_POOL);

c10::CachingDeviceAllocator::DeviceStats counts() {
  return device_allocator().getDeviceStats(/*device=*/0);
}

}  // namespace

c10::DeviceAllocator& device_allocator() {
  at::globalContext().lazyInitDevice(at::kCUDA);
  return *c10::getDeviceAllocator(at::kCUDA);
}

std::int64_t reserved_bytes() {
  return counts().reserved_bytes[all_sizes].current;
}

std::int64_t segments_taken() {
  return counts().segment[large_sizes].allocated;
}

std::int64_t segments_returned() {
  return counts().segment[all_sizes].freed;
}

torch::Tensor buffer(const bench::Args& args, std::int64_t bytes) {
  return torch::ones({bytes}, torch::TensorOptions().dtype(torch::kByte).device(bench::device_of(args)));
}

}  // namespace torchgate::suites
