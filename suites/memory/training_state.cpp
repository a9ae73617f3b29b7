// SPDX-License-Identifier: Apache-2.0
// What a step keeps beside its result: the gradients of the step before, and the graph for a backward pass.
#include <utility>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/models.hpp"

namespace torchgate::suites::training_state {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Inputs;
using torchgate::suites::Mlp;

// --- gradients: set to zero before the next backward pass, or released ---------------------------------------------------

constexpr std::int64_t step_width = 128;
constexpr std::size_t step_layers = 6;
constexpr std::int64_t step_rows = 16;
constexpr int steps_per_call = 2;  // a gradient that is not cleared between them is twice as large

std::vector<Tensor> parameters_of(Mlp& model) {
  std::vector<Tensor> all;
  for (auto& layer : model.layers) {
    for (const Tensor& parameter : layer->parameters()) all.push_back(parameter);
  }
  return all;
}

Timed steps(const Args& args, bool set_to_none) {
  Mlp model(std::vector<std::int64_t>(step_layers + 1, step_width), args);
  // Only for its zero_grad(): without step() every call does the same work.
  const auto optimizer = std::make_shared<torch::optim::SGD>(parameters_of(model), /*lr=*/1e-3);
  return [=, x = Inputs(args).normal({step_rows, step_width})](Recorder& recorder) mutable {
    int graphs = 0;
    for (int i = 0; i < steps_per_call; ++i) {
      optimizer->zero_grad(set_to_none);
      const Tensor loss = model(x).pow(2).mean();
      graphs += loss.requires_grad() ? 1 : 0;
      loss.backward();
    }
    recorder.put("graphs", graphs);
    // One row: a copy of all gradients would be most of the peak.
    return model.layers.front()->weight.grad().select(/*dim=*/0, 0).clone();
  };
}

// --- graph: recorded, not recorded, or tensors that can never be part of one ---------------------------------------------

enum class Recording { grad, no_grad, inference };

constexpr std::int64_t forward_width = 32;
constexpr std::size_t forward_layers = 40;
constexpr std::int64_t forward_rows = 4;

Timed forward_pass(const Args& args, Recording recording) {
  Mlp model(std::vector<std::int64_t>(forward_layers + 1, forward_width), args);
  return [=, x = Inputs(args).normal({forward_rows, forward_width})](Recorder& recorder) mutable -> Tensor {
    const auto noted = [&](Tensor output) {
      recorder.put("graphs", output.requires_grad() ? 1 : 0);
      return output;
    };
    switch (recording) {
      case Recording::grad:
        return noted(model(x));
      case Recording::no_grad: {
        const at::NoGradGuard not_recorded;
        return noted(model(x));
      }
      case Recording::inference: {
        const c10::InferenceMode inference;
        Tensor output = model(x);
        recorder.put("inference_outputs", output.is_inference() ? 1 : 0);
        return noted(std::move(output));
      }
    }
    return {};
  };
}

Timed kept(const Args& args) {
  if (args.text("state") == "gradients") return steps(args, /*set_to_none=*/false);
  return forward_pass(args, Recording::grad);
}

TORCHGATE_GROUP("training_state") {
  const Axis state = group.axis("state", {"gradients", "graph"});
  group.devices().training().quick(state("gradients")).measures(count("graphs"));

  group.reference("kept", kept)
      .proves(metric("graphs") == steps_per_call, state("gradients"))
      .proves(calls("aten::zero_") >= 1, state("gradients"))
      .proves(metric("graphs") == 1, state("graph"));
  group.variant("to_none", [](const Args& args) { return steps(args, /*set_to_none=*/true); })
      .only(state("gradients"))
      .proves(metric("graphs") == steps_per_call)
      .proves(calls("aten::zero_") == 0)
      .claims(metric("peak_bytes") <= 0.3 * reference(), cpu);
  group.variant("no_grad", [](const Args& args) { return forward_pass(args, Recording::no_grad); })
      .only(state("graph"))
      .proves(metric("graphs") == 0)
      .claims(metric("peak_bytes") <= 0.3 * reference(), cpu)
      .claims(time() <= 0.8 * reference(), cpu);
  group.variant("inference", [](const Args& args) { return forward_pass(args, Recording::inference); })
      .only(state("graph"))
      .measures(count("inference_outputs"))
      .proves(metric("inference_outputs") == 1)
      .proves(metric("graphs") == 0)
      .claims(metric("peak_bytes") <= 0.3 * reference(), cpu)
      .claims(time() <= 1.15 * variant_named("no_grad"), cpu)
      .claims(time() <= 0.8 * reference(), cpu);
}

}  // namespace
}  // namespace torchgate::suites::training_state
