// SPDX-License-Identifier: Apache-2.0
#include "suites/gpu/recorded_graph.hpp"

#ifdef TORCHGATE_WITH_CUDA
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>
#endif

#include <algorithm>
#include <exception>
#include <map>
#include <vector>

#include "suites/gpu/cuda_calls.hpp"

namespace torchgate::suites {

#ifdef TORCHGATE_WITH_CUDA

namespace {

// The first call on a stream allocates the libraries' workspaces, the second one runs with them.
constexpr int rehearsals = 2;

// Runs `record` on a stream of its own, after `rehearse` has run there: a graph cannot be recorded on the default stream.
void on_side_stream(const std::function<void()>& rehearse, const std::function<void(cudaStream_t)>& record) {
  C10_CUDA_CHECK(cudaDeviceSynchronize());  // inputs were made on the current stream
  {
    const c10::cuda::CUDAStream side = c10::cuda::getStreamFromPool();
    const c10::cuda::CUDAStreamGuard guard(side);
    for (int i = 0; i < rehearsals; ++i) rehearse();
    C10_CUDA_CHECK(cudaDeviceSynchronize());
    record(side.stream());
  }
  C10_CUDA_CHECK(cudaDeviceSynchronize());
}

class OwnedGraph {
 public:
  OwnedGraph() = default;
  ~OwnedGraph() {
    if (graph != nullptr) (void)cudaGraphDestroy(graph);
  }
  OwnedGraph(const OwnedGraph&) = delete;
  OwnedGraph& operator=(const OwnedGraph&) = delete;

  cudaGraph_t graph = nullptr;
};

// As the harness records calls to count their kernels (harness/bench/torch/launch_counter.cpp). Nothing is executed.
void record_into(OwnedGraph& owned, const std::function<void()>& call, cudaStream_t stream) {
  C10_CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  std::exception_ptr failure;
  try {
    call();
  } catch (...) {
    failure = std::current_exception();
  }
  const cudaError_t ended = cudaStreamEndCapture(stream, &owned.graph);  // also after a failure
  if (failure) {
    (void)cudaGetLastError();
    std::rethrow_exception(failure);
  }
  C10_CUDA_CHECK(ended);
}

bool is_work(cudaGraphNode_t node) {
  cudaGraphNodeType type{};
  C10_CUDA_CHECK(cudaGraphNodeGetType(node, &type));
  return type == cudaGraphNodeTypeKernel || type == cudaGraphNodeTypeMemcpy || type == cudaGraphNodeTypeMemset;
}

struct Edges {
  std::vector<cudaGraphNode_t> from;
  std::vector<cudaGraphNode_t> to;
};

Edges edges_of(cudaGraph_t graph) {
  std::size_t count = 0;
  Edges edges;
#if CUDART_VERSION >= 13000
  C10_CUDA_CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
  edges.from.resize(count);
  edges.to.resize(count);
  std::vector<cudaGraphEdgeData> data(count);  // what kind of dependency it is does not matter here
  if (count > 0) {
    C10_CUDA_CHECK(cudaGraphGetEdges(graph, edges.from.data(), edges.to.data(), data.data(), &count));
  }
#else
  C10_CUDA_CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, &count));
  edges.from.resize(count);
  edges.to.resize(count);
  if (count > 0) C10_CUDA_CHECK(cudaGraphGetEdges(graph, edges.from.data(), edges.to.data(), &count));
#endif
  return edges;
}

// The length of the longest path that ends at each node grows until no edge extends one: at most once for each node.
std::int64_t longest_path(cudaGraph_t graph) {
  std::size_t count = 0;
  C10_CUDA_CHECK(cudaGraphGetNodes(graph, nullptr, &count));
  std::vector<cudaGraphNode_t> nodes(count);
  if (count > 0) C10_CUDA_CHECK(cudaGraphGetNodes(graph, nodes.data(), &count));
  std::map<cudaGraphNode_t, std::int64_t> work;
  for (const cudaGraphNode_t node : nodes) work[node] = is_work(node) ? 1 : 0;
  std::map<cudaGraphNode_t, std::int64_t> length = work;
  const Edges edges = edges_of(graph);
  for (bool grows = true; grows;) {
    grows = false;
    for (std::size_t i = 0; i < edges.from.size(); ++i) {
      const std::int64_t through = length[edges.from[i]] + work[edges.to[i]];
      if (through <= length[edges.to[i]]) continue;
      length[edges.to[i]] = through;
      grows = true;
    }
  }
  std::int64_t longest = 0;
  for (const auto& [node, steps] : length) longest = std::max(longest, steps);
  return longest;
}

}  // namespace

std::int64_t longest_chain(const std::function<void()>& call) {
  OwnedGraph owned;
  on_side_stream(call, [&](cudaStream_t stream) { record_into(owned, call, stream); });
  return longest_path(owned.graph);
}

struct RecordedCall::Graph {
  at::cuda::CUDAGraph graph;
  torch::Tensor output;  // in the graph's own memory
};

RecordedCall::RecordedCall(const std::function<torch::Tensor()>& call) : graph_(std::make_unique<Graph>()) {
  const auto record = [&](cudaStream_t /*stream*/) {
    graph_->graph.capture_begin(/*pool=*/{0, 0}, cudaStreamCaptureModeThreadLocal);
    graph_->output = call();
    graph_->graph.capture_end();
  };
  on_side_stream([&] { (void)call(); }, record);
}

torch::Tensor RecordedCall::replay() {
  graph_->graph.replay();
  return graph_->output;
}

#else

std::int64_t longest_chain(const std::function<void()>& /*call*/) {
  TORCH_CHECK(false, built_without_cuda);
}

struct RecordedCall::Graph {};

RecordedCall::RecordedCall(const std::function<torch::Tensor()>& /*call*/) {
  TORCH_CHECK(false, built_without_cuda);
}

torch::Tensor RecordedCall::replay() {
  TORCH_CHECK(false, built_without_cuda);
}

#endif

RecordedCall::~RecordedCall() = default;

}  // namespace torchgate::suites
