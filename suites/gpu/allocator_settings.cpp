// SPDX-License-Identifier: Apache-2.0
// Settings of LibTorch's allocator of device memory that a process reads from its environment, so each case has a process of its own. A call
// begins with an empty cache: what it reserves does not depend on the calls before it.
#include "harness/bench/torch/suite.hpp"
#include "suites/gpu/cached_memory.hpp"
#include "suites/gpu/cuda_calls.hpp"

namespace torchgate::suites::allocator_settings {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;

constexpr const char* variable = "PYTORCH_ALLOC_CONF";
constexpr const char* without_settings =
    "expandable_segments:False";  // the default, whatever the caller's environment has

// It waits first, so that the harness finds out at once that the call cannot be recorded: memory is not returned to the device then.
void start_with_empty_cache() {
  torch::cuda::synchronize();
  device_allocator().emptyCache();
}

void put_reserved_bytes(Recorder& recorder) {
  recorder.put("reserved_bytes", static_cast<double>(reserved_bytes()));
}

// --- split_size: a smaller tensor takes a part of a large cached block, and the next large tensor finds no whole one ------

constexpr std::int64_t large_bytes = 256 * bytes_of_megabyte;
constexpr std::int64_t smaller_bytes = 40 * bytes_of_megabyte;

Timed large_smaller_large(const Args& args) {
  return [args](Recorder& recorder) {
    start_with_empty_cache();
    const Tensor first = buffer(args, large_bytes)[0].clone();  // the block itself is free again
    const Tensor smaller = buffer(args, smaller_bytes);
    const Tensor large = buffer(args, large_bytes);
    put_reserved_bytes(recorder);
    return first + smaller[0] + large[0];
  };
}

// 512 MB against 296 MB.
TORCHGATE_GROUP("split_size") {
  group.axis("device", {"cuda"});
  group.measures(bytes("reserved_bytes")).quick(none);

  group.reference("split", large_smaller_large).environment(variable, without_settings);
  group.variant("kept_whole", large_smaller_large)
      .within(0)
      .environment(variable, "expandable_segments:False,max_split_size_mb:64")
      .claims(metric("reserved_bytes") <= 0.7 * reference());
}

// --- garbage_collection: cached blocks that were not used for long are returned before a limit is reached -----------------

constexpr std::int64_t allowed_bytes = 2048 * bytes_of_megabyte;

// 64 to 208 MB, 1360 MB together. The allocator collects only where memory is limited.
Timed growing_within_a_limit(const Args& args) {
  limit_memory(static_cast<double>(allowed_bytes) / static_cast<double>(device_memory()));
  return [args](Recorder& recorder) {
    constexpr int tensors = 10;
    constexpr std::int64_t first_megabytes = 64;
    constexpr std::int64_t growth_megabytes = 16;
    start_with_empty_cache();
    Tensor sum = buffer(args, 1);
    for (int i = 0; i < tensors; ++i) {
      sum = sum + buffer(args, (first_megabytes + i * growth_megabytes) * bytes_of_megabyte)[0];
    }
    put_reserved_bytes(recorder);
    return sum;
  };
}

// At a quarter of the limit, 512 MB, and one more tensor on top of what is left then.
TORCHGATE_GROUP("garbage_collection") {
  group.axis("device", {"cuda"});
  group.measures(bytes("reserved_bytes")).quick(none);

  group.reference("never", growing_within_a_limit).environment(variable, without_settings);
  group.variant("above_a_quarter", growing_within_a_limit)
      .within(0)
      .environment(variable, "expandable_segments:False,garbage_collection_threshold:0.25")
      .claims(metric("reserved_bytes") <= 0.7 * reference());
}

}  // namespace
}  // namespace torchgate::suites::allocator_settings
