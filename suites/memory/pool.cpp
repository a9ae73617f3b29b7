// SPDX-License-Identifier: Apache-2.0
// The allocator of a GPU, as `allocator` measures the C library's: a large tensor whose memory comes from the driver and is
// returned to it in each call, or stays in LibTorch's pool for the next one.
#include <c10/core/CachingDeviceAllocator.h>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"

namespace torchgate::suites::pool {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Inputs;

constexpr std::int64_t elements = 10'000'000;  // 40 MB: a segment of its own
constexpr std::int64_t returned_elements = 1024;

c10::DeviceAllocator& allocator() {
  return *c10::getDeviceAllocator(torch::kCUDA);
}

/// Calls of cudaMalloc.
std::int64_t driver_allocations() {
  return allocator().getDeviceStats(/*device=*/0).num_device_alloc;
}

Factory doubled(bool empties_pool) {
  return [empties_pool](const Args& args) -> Timed {
    return [x = Inputs(args).normal({elements}), empties_pool](Recorder& recorder) {
      if (empties_pool) allocator().emptyCache();
      const std::int64_t before = driver_allocations();
      const Tensor result = (x * 2.0).narrow(0, 0, returned_elements).clone();  // the large one is freed in the call
      recorder.put("driver_allocations", static_cast<double>(driver_allocations() - before));
      return result;
    };
  };
}

TORCHGATE_GROUP("pool") {
  group.axis("device", {"cuda"});
  group.bytes_per_call([](const Args&) { return 2.0 * sizeof(float) * elements; });
  group.measures(count("driver_allocations"));

  group.reference("returned", doubled(/*empties_pool=*/true)).proves(metric("driver_allocations") >= 1);
  group.variant("kept", doubled(/*empties_pool=*/false)).within(0).proves(metric("driver_allocations") == 0);
}

}  // namespace
}  // namespace torchgate::suites::pool
