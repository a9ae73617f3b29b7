// SPDX-License-Identifier: Apache-2.0
// How work reaches the device: call by call or as a graph, on all multiprocessors or on a part of them.
#include <memory>
#include <tuple>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/expected.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/models.hpp"
#include "suites/gpu/cuda_calls.hpp"
#include "suites/gpu/recorded_graph.hpp"

namespace torchgate::suites::execution {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;

constexpr std::int64_t width = 256;

// --- graphs: a small batch, for which the host takes longer than the device -----------------------------------------------

// A sweep has no reference: each call returns its result, and what it must be, computed in double precision.
Timed mlp(const Args& args) {
  Mlp model({width, width, width, width, width}, args);
  const Tensor x = Inputs(args).normal({args.number("batch"), width});
  model.to(torch::kDouble);
  const Tensor expected = model(x.to(torch::kDouble));
  model.to(torch::kFloat);  // exact: the weights were floats before
  return [=]() mutable { return std::tuple{model(x), expected}; };
}

// The harness records and replays: gpu_time_graph beside gpu_time_hot, graph_build_time and graph_nodes. gpu_time_hot is less than the time that a
// caller sees where the device waits for the host: for one row it is idle most of the time.
TORCHGATE_GROUP("graphs") {
  const Axis batch = group.axis("batch", {1, 32});
  group.axis("device", {"cuda"});
  group.items(batch).graphs();

  group.sweep("mlp", mlp)
      .checks(result_is_expected)
      .proves(calls("aten::addmm") == 4)
      .claims(metric("gpu_time_graph") <= 1.1 * own(metric("gpu_time_hot")))
      .claims(metric("gpu_time_graph") <= 0.8 * own(time()), batch(1))
      .claims(metric("gpu_time_hot") <= 0.9 * own(time()), batch(1));
}

// --- graph_replay: a replay as a program calls it ------------------------------------------------------------------------

constexpr std::int64_t layers = 12;

struct DeepMlp {
  Mlp model;
  Tensor x;

  explicit DeepMlp(const Args& args)
      : model(std::vector<std::int64_t>(layers + 1, width), args),
        x(Inputs(args).normal({args.number("batch"), width})) {}
};

Timed launched(const Args& args) {
  return [deep = DeepMlp(args)]() mutable { return deep.model(deep.x); };
}

// The recorded call reads `input`: it had zeros when it was recorded, so that a result of that time is wrong.
Timed replayed(const Args& args) {
  const auto deep = std::make_shared<DeepMlp>(args);
  const Tensor input = torch::zeros_like(deep->x);
  const auto recorded = std::make_shared<RecordedCall>([deep, input] { return deep->model(input); });
  return [deep, input, recorded] {
    input.copy_(deep->x);
    return recorded->replay();
  };
}

TORCHGATE_GROUP("graph_replay") {
  const Axis batch = group.axis("batch", {1, 32});
  group.axis("device", {"cuda"});
  group.items(batch).quick(batch(1));

  group.reference("launched", launched).proves(calls("aten::addmm") == layers);
  group.variant("replayed", replayed)
      .proves(calls("aten::addmm") == 0)
      .claims(metric("operator_calls") <= 0.1 * reference())
      .claims(time() <= 0.7 * reference(), batch(1));
}

// --- green_context: a product on half of the multiprocessors -------------------------------------------------------------

// Large enough to keep all of them busy several times.
constexpr std::int64_t size = 2048;

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

// The claim is that the other half is left alone: the product takes longer.
TORCHGATE_GROUP("green_context") {
  group.axis("device", {"cuda"});
  group.needs("compute capability 9.0", compute_capability(90)).needs("green contexts", no_green_contexts);

  group.reference("whole_device", whole_device);
  group.variant("half_of_device", half_of_device).claims(metric("gpu_time_hot") >= 1.3 * reference());
}

}  // namespace
}  // namespace torchgate::suites::execution
