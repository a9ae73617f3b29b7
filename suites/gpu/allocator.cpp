// SPDX-License-Identifier: Apache-2.0
// LibTorch's allocator of device memory. Its settings belong to the process, and no one puts them back: each variant here sets
// what it needs when it is built, and starts with an empty cache.
#include <c10/core/AllocatorConfig.h>
#include <c10/core/CachingDeviceAllocator.h>

#include "harness/bench/torch/suite.hpp"
#include "suites/gpu/cuda_calls.hpp"

namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;

constexpr std::int64_t bytes_of_megabyte = 1 << 20;

c10::DeviceAllocator& allocator() {
  return *c10::getDeviceAllocator(torch::kCUDA);
}

std::int64_t reserved_bytes() {
  constexpr auto all = static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);
  return allocator().getDeviceStats(/*device=*/0).reserved_bytes[all].current;
}

Tensor buffer(const Args& args, std::int64_t bytes) {
  return torch::ones({bytes}, torch::TensorOptions().dtype(torch::kByte).device(device_of(args)));
}

// --- empty_cache: giving memory back after each unit of work ------------------------------------------------------------

constexpr int steps = 10;

Timed step(const Args& args, bool empties) {
  return [args, empties] {
    constexpr std::int64_t megabytes = 8;
    Tensor sum = buffer(args, 1);
    for (int i = 1; i <= steps; ++i) sum = sum + buffer(args, i * megabytes * bytes_of_megabyte)[0];
    if (empties) allocator().emptyCache();
    return sum;
  };
}

Timed never(const Args& args) {
  return step(args, /*empties=*/false);
}

Timed every_10_steps(const Args& args) {
  return step(args, /*empties=*/true);
}

TORCHGATE_GROUP("empty_cache") {
  group.axis("device", {"cuda"});
  group.reference("never", never);
  group.variant("every_10_steps", every_10_steps).within(0);
}

// --- allocator_conf: sizes that grow, so that no freed block fits the next tensor ----------------------------------------

// Other settings (max_split_size_mb, garbage_collection_threshold) are read when the process starts.
Timed growing(const Args& args, const char* settings) {
  c10::CachingAllocator::setAllocatorSettings(settings);
  allocator().emptyCache();
  return [args](Recorder& recorder) {
    constexpr std::int64_t first_megabytes = 32;
    constexpr std::int64_t growth_megabytes = 6;
    Tensor sum = buffer(args, 1);
    for (int i = 0; i < steps; ++i) {
      sum = sum + buffer(args, (first_megabytes + i * growth_megabytes) * bytes_of_megabyte)[0];
    }
    recorder.put("reserved_bytes", static_cast<double>(reserved_bytes()));
    return sum;
  };
}

Timed fixed_segments(const Args& args) {
  return growing(args, "expandable_segments:False");
}

Timed expandable_segments(const Args& args) {
  return growing(args, "expandable_segments:True");
}

TORCHGATE_GROUP("allocator_conf") {
  group.axis("device", {"cuda"});
  group.measures(bytes("reserved_bytes"));

  group.reference("fixed_segments", fixed_segments);
  group.variant("expandable_segments", expandable_segments).within(0);
}

// --- snapshot: what it costs to note every allocation -------------------------------------------------------------------

Timed noted(const Args& args, bool is_noted) {
  record_memory_history(is_noted);
  return [args] {
    constexpr int tensors = 50;
    constexpr std::int64_t size = 4096;
    Tensor sum = buffer(args, size);
    for (int i = 0; i < tensors; ++i) sum = sum + buffer(args, size);
    return sum;
  };
}

Timed not_recorded(const Args& args) {
  return noted(args, /*is_noted=*/false);
}

Timed recorded(const Args& args) {
  return noted(args, /*is_noted=*/true);
}

TORCHGATE_GROUP("snapshot") {
  group.axis("device", {"cuda"});
  group.reference("off", not_recorded);
  group.variant("recording", recorded).within(0);
}

// --- memory_fraction: a limit is kept ------------------------------------------------------------------------------------

// 1 if a tensor of nine tenths of the memory is refused.
Timed beyond_the_limit(const Args& args) {
  return [args] {
    constexpr double limit = 0.8;
    constexpr double wanted = 0.9;
    const auto bytes = static_cast<std::int64_t>(wanted * static_cast<double>(device_memory()));
    limit_memory(limit);
    double is_refused = 0;
    try {
      (void)torch::empty({bytes}, torch::TensorOptions().dtype(torch::kByte).device(device_of(args)));
    } catch (const c10::OutOfMemoryError&) {
      is_refused = 1;
    }
    limit_memory(1);
    return is_refused;
  };
}

std::optional<std::string> refusal(const Output& output) {
  if (output.values == std::vector<double>{1}) return std::nullopt;
  return "an allocation beyond the limit was not refused";
}

TORCHGATE_GROUP("memory_fraction") {
  group.axis("device", {"cuda"});
  group.sweep("limited_to_80", beyond_the_limit).checks(refusal);
}

}  // namespace
