// SPDX-License-Identifier: Apache-2.0
// LibTorch's allocator of device memory. Its settings belong to the process, and the harness does not put them back: each variant here
// sets what it needs when it is built, and starts with an empty cache. Settings of the environment: allocator_settings.cpp.
#include <c10/core/AllocatorConfig.h>

#include <optional>
#include <string>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/gpu/cached_memory.hpp"
#include "suites/gpu/cuda_calls.hpp"

namespace torchgate::suites::allocator {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;

// --- empty_cache: giving memory back after each unit of work ------------------------------------------------------------

constexpr int steps = 10;

Timed step(const Args& args, bool empties) {
  return [args, empties](Recorder& recorder) {
    constexpr std::int64_t megabytes = 8;
    const std::int64_t before = segments_taken();
    Tensor sum = buffer(args, 1);
    for (int i = 1; i <= steps; ++i) sum = sum + buffer(args, i * megabytes * bytes_of_megabyte)[0];
    if (empties) device_allocator().emptyCache();
    recorder.put("segments", static_cast<double>(segments_taken() - before));
    return sum;
  };
}

Timed never(const Args& args) {
  return step(args, /*empties=*/false);
}

Timed every_10_steps(const Args& args) {
  return step(args, /*empties=*/true);
}

// A cached block of 20 MB serves the first two tensors: nine of ten need a segment of their own in each call.
TORCHGATE_GROUP("empty_cache") {
  group.axis("device", {"cuda"});
  group.measures(count("segments"));

  group.reference("never", never).proves(metric("segments") == 0);
  group.variant("every_10_steps", every_10_steps)
      .within(0)
      .proves(metric("segments") >= steps / 2)
      .claims(time() >= 1.5 * reference());  // what it costs
}

// --- allocator_conf: sizes that grow, so that no freed block fits the next tensor ----------------------------------------

Timed growing(const Args& args, const char* settings) {
  c10::CachingAllocator::setAllocatorSettings(settings);
  device_allocator().emptyCache();
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

// Ten segments of 590 MB together, or one that grows to the largest tensor; the same again for the stream on which the harness counts.
TORCHGATE_GROUP("allocator_conf") {
  group.axis("device", {"cuda"});
  group.measures(bytes("reserved_bytes"));

  group.reference("fixed_segments", fixed_segments);
  group.variant("expandable_segments", expandable_segments)
      .within(0)
      .claims(metric("reserved_bytes") <= 0.5 * reference());
}

// --- memory_fraction: a limit is kept ------------------------------------------------------------------------------------

bool is_granted(const Args& args, std::int64_t bytes) {
  try {
    (void)torch::empty({bytes}, torch::TensorOptions().dtype(torch::kByte).device(device_of(args)));
    return true;
  } catch (const c10::OutOfMemoryError&) {
    return false;
  }
}

// 1 if a tensor beyond the limit is refused, and made without the limit: where other programs have the device's memory, it is refused in both.
Timed beyond_the_limit(const Args& args) {
  return [args] {
    constexpr std::int64_t allowed = 64 * bytes_of_megabyte;
    constexpr std::int64_t wanted = 2 * allowed;
    torch::cuda::synchronize();
    device_allocator().emptyCache();  // a cached block would serve it
    limit_memory(static_cast<double>(reserved_bytes() + allowed) / static_cast<double>(device_memory()));
    const bool is_refused = !is_granted(args, wanted);
    limit_memory(1);
    return is_refused && is_granted(args, wanted) ? 1.0 : 0.0;
  };
}

std::optional<std::string> refusal(const Output& output) {
  if (output.values == std::vector<double>{1}) return std::nullopt;
  return "an allocation beyond the limit was not refused, or was refused without it too";
}

TORCHGATE_GROUP("memory_fraction") {
  group.axis("device", {"cuda"});
  group.sweep("limited", beyond_the_limit).checks(refusal);
}

}  // namespace
}  // namespace torchgate::suites::allocator
