// SPDX-License-Identifier: Apache-2.0
// How cuDNN chooses the algorithm of a convolution. LibTorch keeps the choice for each shape until the process ends, so each case has a process
// of its own, and is compared with the CPU instead of a reference, whose choice it would inherit.
#include <ATen/Context.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/expected.hpp"
#include "suites/gpu/cached_memory.hpp"
#include "suites/gpu/operands.hpp"

namespace torchgate::suites::cudnn {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;

// After trying all algorithms, whose workspaces are large, LibTorch returns cached memory to the device. Otherwise nothing does so here, and a
// freed block stays in the cache.
bool returns_cached_memory(const std::function<void()>& work, const Args& args) {
  constexpr std::int64_t block_megabytes = 12;  // a segment of its own
  device_allocator().emptyCache();
  (void)buffer(args, block_megabytes * bytes_of_megabyte);
  const std::int64_t before = segments_returned();
  work();
  torch::cuda::synchronize();
  return segments_returned() > before;
}

// The result, then what it must be.
Timed convolution(const Args& args) {
  const Convolution convolve(args);
  const Tensor expected =
      torch::conv2d(convolve.images.cpu(), convolve.weight.cpu(), /*bias=*/{}, /*stride=*/1, /*padding=*/1)
          .to(device_of(args));
  // The first call with this shape, which chooses.
  const double searches = returns_cached_memory([&] { (void)convolve(); }, args) ? 1 : 0;
  return [convolve, expected, searches, version = at::Context::versionRuntimeCuDNN()](Recorder& recorder) {
    std::vector<Tensor> result{convolve(), expected};
    recorder.put("algorithm_searches", searches);
    recorder.put("cudnn_version", static_cast<double>(version));
    return result;
  };
}

Timed benchmarked(const Args& args) {
  at::globalContext().setBenchmarkCuDNN(true);
  return convolution(args);
}

Timed without_cudnn(const Args& args) {
  at::globalContext().setUserEnabledCuDNN(false);
  return convolution(args);
}

std::optional<std::string> same_as_on_cpu(const Output& output) {
  constexpr double error_of_algorithms = 1e-4;  // transforms of the images lose digits
  const double distance = distance_of_halves(output);
  if (distance <= error_of_algorithms) return std::nullopt;
  return "the relative L2 distance to the result of the CPU is " + std::to_string(distance);
}

// Workspaces are memory too: they depend on the algorithm, which may not be the same in every process.
TORCHGATE_GROUP("cudnn") {
  group.axis("device", {"cuda"});
  group.threads(1).without({"allocations", "allocated_bytes", "peak_bytes"});
  group.measures(count("algorithm_searches")).measures(count("cudnn_version"));

  group.sweep("default", convolution)
      .checks(same_as_on_cpu)
      .proves(calls("aten::cudnn_convolution") == 1)
      .proves(metric("algorithm_searches") == 0);
  group.sweep("benchmark", benchmarked)
      .checks(same_as_on_cpu)
      .proves(calls("aten::cudnn_convolution") == 1)
      .proves(metric("algorithm_searches") == 1)
      .claims(time() <= 1.1 * variant_named("default"));
  group.sweep("disabled", without_cudnn)
      .checks(same_as_on_cpu)
      .proves(calls("aten::cudnn_convolution") == 0)
      .proves(metric("algorithm_searches") == 0)
      .claims(metric("kernel_launches") >= 3.0 * variant_named("default"));  // at least one for each image
}

}  // namespace
}  // namespace torchgate::suites::cudnn
