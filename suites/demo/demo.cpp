// SPDX-License-Identifier: Apache-2.0
// A demonstration: four cases, one of which does a step more in the second build (steps.hpp).
#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/demo/steps.hpp"

namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Inputs;
using torchgate::suites::refinement_steps;

constexpr std::int64_t unknowns = 256;
constexpr std::int64_t right_sides = 32;

struct System {
  Tensor matrix;
  Tensor right;
  Tensor diagonal;

  explicit System(const Args& args) {
    Inputs inputs(args);
    matrix = inputs.normal({unknowns, unknowns}) / unknowns + torch::eye(unknowns) * 2;
    right = inputs.normal({unknowns, right_sides});
    diagonal = matrix.diagonal().unsqueeze(1).clone();
  }

  // One step of Jacobi's method.
  [[nodiscard]] Tensor step(const Tensor& x) const { return x + (right - torch::mm(matrix, x)) / diagonal; }
};

Timed refine(const Args& args) {
  return [system = System(args)] {
    Tensor x = torch::zeros_like(system.right);
    for (int i = 0; i < refinement_steps; ++i) x = system.step(x);
    return x;
  };
}

Timed residual(const Args& args) {
  return [system = System(args)] { return system.right - torch::mm(system.matrix, system.right); };
}

Timed inverse(const Args& args) {
  return [system = System(args)] { return torch::linalg_inv(system.matrix); };
}

Timed normalise(const Args& args) {
  return [system = System(args)] { return torch::softmax(system.matrix, 1); };
}

TORCHGATE_GROUP("solver") {
  group.sweep("refine", refine);
}
TORCHGATE_GROUP("residual") {
  group.sweep("one", residual);
}
TORCHGATE_GROUP("inverse") {
  group.sweep("one", inverse);
}
TORCHGATE_GROUP("normalise") {
  group.sweep("rows", normalise);
}

}  // namespace

TORCHGATE_TORCH_SUITE("demo")
