// SPDX-License-Identifier: Apache-2.0
// How work reaches the device: call by call or as a graph, on all multiprocessors or on a part of them.
#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/models.hpp"
#include "suites/gpu/cuda_calls.hpp"

namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;

// --- graphs: a small batch, for which the host takes longer than the device -----------------------------------------------

Timed mlp(const Args& args) {
  constexpr std::int64_t width = 256;
  return [model = Mlp({width, width, width, width, width}, args),
          x = Inputs(args).normal({args.number("batch"), width})]() mutable { return model(x); };
}

// gpu_time_graph beside gpu_time_hot, graph_build_time and graph_nodes.
TORCHGATE_GROUP("graphs") {
  const Axis batch = group.axis("batch", {1, 32});
  group.axis("device", {"cuda"});
  group.items(batch).graphs();

  group.sweep("mlp", mlp);
}

// --- green_context: a product on half of the multiprocessors -------------------------------------------------------------

constexpr std::int64_t size = 1024;

struct Product {
  Tensor left;
  Tensor right;

  explicit Product(const Args& args) {
    Inputs inputs(args);
    left = inputs.normal({size, size});
    right = inputs.normal({size, size});
  }
};

Timed whole_device(const Args& args) {
  return [product = Product(args)] { return torch::mm(product.left, product.right); };
}

Timed half_of_device(const Args& args) {
  constexpr double share = 0.5;
  return [product = Product(args), part = std::make_shared<PartOfDevice>(share)] {
    Tensor result;
    part->run([&] { result = torch::mm(product.left, product.right); });
    return result;
  };
}

TORCHGATE_GROUP("green_context") {
  group.axis("device", {"cuda"});
  group.needs("compute capability 9.0", compute_capability(90));

  group.reference("whole_device", whole_device);
  group.variant("half_of_device", half_of_device);
}

}  // namespace
