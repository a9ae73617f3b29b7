// SPDX-License-Identifier: Apache-2.0
// The C library's allocator: a tensor above its largest threshold is mapped when it is made and unmapped when it is freed, and the kernel
// clears every page of it again. The library reads its settings once, when the process starts. torchgate sets those of `kept`, and transparent huge pages,
// for all processes that it measures (`run --allocator`): otherwise every case with large tensors would pay for the kernel.
#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"

namespace torchgate::suites::allocator {
namespace {

using namespace torchgate::bench;
using torchgate::suites::Inputs;

// 40 MB: above 32 MB, where glibc stops raising its threshold by itself.
constexpr std::int64_t elements = 10'000'000;
// Each page of a new mapping is a fault: of the largest pages that the kernel gives by itself, which have 2 MB, 40 MB are about 20.
constexpr double fewest_faults_of_mapping = 10;

double minor_faults() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_minflt);
}

struct Doubled {
  torch::Tensor head;
  double faults = 0;
};

Doubled doubled_values(const torch::Tensor& x) {
  const double before = minor_faults();
  const torch::Tensor result = x * 2.0;
  const double faults = minor_faults() - before;
  return {result.narrow(0, 0, 1024).clone(), faults};  // the large one is freed in the call
}

// The least faults of several calls decide. A heap that is kept also grows in the first calls: an aligned block fits into the one that was
// freed before it only where the free pieces around that one are joined with it, and how long that takes depends on what else the process
// has allocated (two to five calls were seen). The kernel may also move pages during a call.
bool is_mapped_each_time(const torch::Tensor& x) {
  constexpr int calls_made = 12;
  double fewest = doubled_values(x).faults;
  for (int call = 1; call < calls_made; ++call) fewest = std::min(fewest, doubled_values(x).faults);
  return fewest >= fewest_faults_of_mapping;
}

std::optional<Dl_info> object_of(const void* function) {
  Dl_info found{};
  if (function == nullptr || dladdr(function, &found) == 0 || found.dli_fname == nullptr) return std::nullopt;
  return found;
}

// Another allocator, by LD_PRELOAD or linked before the C library, reads none of these settings: the two cases would be the same.
std::optional<std::string> malloc_of_glibc() {
  const auto glibc = object_of(reinterpret_cast<const void*>(&gnu_get_libc_version));
  constexpr std::array functions{"malloc", "posix_memalign", "free"};  // LibTorch's tensors are aligned
  for (const char* const name : functions) {
    const auto found = object_of(dlsym(RTLD_DEFAULT, name));
    if (!glibc || !found) return "where " + std::string(name) + " comes from is unknown";
    if (found->dli_fbase != glibc->dli_fbase)
      return std::string(name) + " is that of " + found->dli_fname + ", not glibc's";
  }
  return std::nullopt;
}

Timed doubled(const Args& args) {
  const torch::Tensor x = Inputs(args).normal({elements});
  return [x, is_mapped = is_mapped_each_time(x)](Recorder& recorder) {
    Doubled made = doubled_values(x);
    recorder.put("minor_faults", made.faults);
    recorder.put("is_mapped", is_mapped ? 1 : 0);
    return made.head;
  };
}

TORCHGATE_GROUP("allocator") {
  group.only_full()
      .needs("malloc of glibc", malloc_of_glibc)
      .bytes_per_call([](const Args&) { return 2.0 * sizeof(float) * elements; })
      .measures(ratio("minor_faults"))
      .measures(count("is_mapped"));

  group.reference("mapped_each_time", doubled)
      .environment("GLIBC_TUNABLES", "glibc.malloc.mmap_threshold=131072")
      .proves(metric("is_mapped") == 1);
  group.variant("kept", doubled)
      .within(1e-9)
      .environment("GLIBC_TUNABLES",
                   "glibc.malloc.mmap_max=0:glibc.malloc.top_pad=268435456:glibc.malloc.trim_threshold=4294967296")
      .proves(metric("is_mapped") == 0)
      .claims(time() <= 0.8 * reference());
}

}  // namespace
}  // namespace torchgate::suites::allocator
