// SPDX-License-Identifier: Apache-2.0
// The C library's allocator: a tensor above its largest threshold is mapped when it is made and unmapped when it is freed, and the kernel
// clears every page of it again. The library reads its settings once, when the process starts. torchgate sets those of `kept` for all
// processes that it measures (`run --allocator`): otherwise every case with large tensors would pay for the kernel.
#include <sys/resource.h>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"

namespace {

using namespace torchgate::bench;
using torchgate::suites::Inputs;

// 40 MB: above 32 MB, where glibc stops raising its threshold by itself.
constexpr std::int64_t elements = 10'000'000;

double minor_faults() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_minflt);
}

Timed doubled(const Args& args) {
  return [x = Inputs(args).normal({elements})](Recorder& recorder) {
    const double before = minor_faults();
    const torch::Tensor result = x * 2.0;
    recorder.put("minor_faults", minor_faults() - before);
    return result.narrow(0, 0, 1024).clone();  // the large one is freed in the call
  };
}

TORCHGATE_GROUP("allocator") {
  group.quick(none)
      .bytes_per_call([](const Args&) { return 2.0 * sizeof(float) * elements; })
      .measures(ratio("minor_faults"));

  group.reference("mapped_each_time", doubled).environment("GLIBC_TUNABLES", "glibc.malloc.mmap_threshold=131072");
  group.variant("kept", doubled)
      .within(1e-9)
      .environment("GLIBC_TUNABLES",
                   "glibc.malloc.mmap_max=0:glibc.malloc.top_pad=268435456:glibc.malloc.trim_threshold=4294967296")
      .claims(time() <= 0.8 * reference());
}

}  // namespace
