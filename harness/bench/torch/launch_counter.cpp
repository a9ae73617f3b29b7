// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/torch/launch_counter.hpp"

#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>

#include <vector>

#include "harness/bench/torch/cuda_outcome.hpp"

namespace torchgate::bench {
namespace {

// The first call on a stream allocates the libraries' workspaces, the second one runs with them.
constexpr int rehearsals = 2;

// Destroys the graph in every case.
class GraphOwner {
 public:
  GraphOwner() = default;
  ~GraphOwner() {
    if (graph != nullptr) (void)cudaGraphDestroy(graph);
  }
  GraphOwner(const GraphOwner&) = delete;
  GraphOwner& operator=(const GraphOwner&) = delete;

  cudaGraph_t graph = nullptr;
};

base::Result<LaunchCounts> count_nodes(cudaGraph_t graph) {
  std::size_t count = 0;
  if (auto read = outcome(cudaGraphGetNodes(graph, nullptr, &count)); !read) return read.error();
  std::vector<cudaGraphNode_t> nodes(count);
  if (count > 0) {
    if (auto read = outcome(cudaGraphGetNodes(graph, nodes.data(), &count)); !read) return read.error();
  }
  LaunchCounts counts;
  for (const cudaGraphNode_t node : nodes) {
    cudaGraphNodeType type{};
    if (auto read = outcome(cudaGraphNodeGetType(node, &type)); !read) return read.error();
    if (type == cudaGraphNodeTypeKernel) ++counts.kernels;
    if (type == cudaGraphNodeTypeMemcpy || type == cudaGraphNodeTypeMemset) ++counts.copies;
  }
  return counts;
}

// Not with at::cuda::CUDAGraph: if its capture fails, LibTorch's random number generator and allocator stay in capture
// mode, and the calls tried here may well fail. Relaxed mode lets the allocator request memory from CUDA; nothing is
// executed in the capture.
base::Result<LaunchCounts> record_and_count(const std::function<void()>& call, cudaStream_t stream) {
  if (auto begun = outcome(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed)); !begun) return begun.error();
  const auto worked = caught(call);
  GraphOwner owner;
  const auto ended = outcome(cudaStreamEndCapture(stream, &owner.graph));  // also after a failure
  if (!worked) return worked.error();
  if (!ended) return ended.error();
  return count_nodes(owner.graph);
}

}  // namespace

base::Result<LaunchCounts> count_launches(const std::function<void()>& call) {
  base::Result<LaunchCounts> counted = LaunchCounts{};
  const auto ran = caught([&] {
    static const c10::cuda::CUDAStream side = c10::cuda::getStreamFromPool();
    // The inputs of the call were created on the current stream, and its outputs are read there later.
    if (auto idle = outcome(cudaDeviceSynchronize()); !idle) {
      counted = idle.error();
      return;
    }
    const c10::cuda::CUDAStreamGuard guard(side);
    for (int i = 0; i < rehearsals; ++i) call();
    auto idle = outcome(cudaDeviceSynchronize());
    counted = idle ? record_and_count(call, side.stream()) : base::Result<LaunchCounts>(idle.error());
    if (auto after = outcome(cudaDeviceSynchronize()); counted && !after) counted = after.error();
  });
  if (!ran) return ran.error();
  return counted;
}

}  // namespace torchgate::bench
