// SPDX-License-Identifier: Apache-2.0
// TorchScript without Python: the same convolutions as a program that LibTorch can rewrite. Freezing makes constants of the
// weights and folds batch normalisation into them; optimize_for_inference hands whole layers to oneDNN, in its own layout.
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/frontend/tracer.h>
#include <torch/csrc/jit/serialization/import.h>

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/interpreter.hpp"

namespace torchgate::suites::script {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Inputs;

constexpr std::int64_t channels = 16;
constexpr std::int64_t size = 28;
constexpr double epsilon = 1e-5;
constexpr double momentum = 0.1;

struct Layer {
  Tensor weight;
  Tensor bias;
  Tensor scale;
  Tensor shift;
  Tensor mean;
  Tensor variance;

  explicit Layer(Inputs& inputs) {
    constexpr std::int64_t kernel = 3;
    weight = inputs.normal({channels, channels, kernel, kernel}) * 0.1;
    bias = inputs.normal({channels});
    scale = inputs.normal({channels});
    shift = inputs.normal({channels});
    mean = inputs.normal({channels});
    variance = inputs.normal({channels}).abs() + 0.5;
  }
};

struct Network {
  Layer first;
  Layer second;
  Tensor images;

  explicit Network(const Args& args) : Network(Inputs(args), args) {}

 private:
  Network(Inputs inputs, const Args& args)
      : first(inputs), second(inputs), images(inputs.normal({args.number("batch"), channels, size, size})) {}
};

Tensor run(const Layer& layer, const Tensor& x) {
  const Tensor y = torch::conv2d(x, layer.weight, layer.bias, /*stride=*/1, /*padding=*/1);
  return torch::relu(torch::batch_norm(y, layer.scale, layer.shift, layer.mean, layer.variance, /*training=*/false,
                                       momentum, epsilon, /*cudnn_enabled=*/false));
}

constexpr const char* source = R"(
def layer(self, x, weight, bias, scale, shift, mean, variance):
    y = torch.conv2d(x, weight, bias, [1, 1], [1, 1], [1, 1], 1)
    return torch.relu(torch.batch_norm(y, scale, shift, mean, variance, False, 0.1, 1e-5, False))

def forward(self, x):
    x = self.layer(x, self.weight1, self.bias1, self.scale1, self.shift1, self.mean1, self.variance1)
    return self.layer(x, self.weight2, self.bias2, self.scale2, self.shift2, self.mean2, self.variance2)
)";

torch::jit::Module script_of(const Network& network) {
  torch::jit::Module module("ConvBnRelu");
  const auto add = [&](const Layer& layer, const std::string& number) {
    module.register_parameter("weight" + number, layer.weight, /*is_buffer=*/false);
    module.register_parameter("bias" + number, layer.bias, false);
    module.register_parameter("scale" + number, layer.scale, false);
    module.register_parameter("shift" + number, layer.shift, false);
    module.register_buffer("mean" + number, layer.mean);
    module.register_buffer("variance" + number, layer.variance);
  };
  add(network.first, "1");
  add(network.second, "2");
  // freeze() refuses a module that does not say whether it is being trained.
  module.register_attribute("training", c10::BoolType::get(), false);
  module.define(source);
  return module;
}

Timed calls_of(torch::jit::Module module, const Tensor& images) {
  for (int run = 0; run < runs_until_rewritten; ++run) (void)module.forward({images});
  return [module, images]() mutable { return module.forward({images}).toTensor(); };
}

Timed eager(const Args& args) {
  return [network = Network(args)] { return run(network.second, run(network.first, network.images)); };
}

/// A program that the interpreter runs before each call, so that the one that it ran last is not one of an earlier call.
torch::jit::Module other_program() {
  torch::jit::Module module("Other");
  module.define("def forward(self, x: int):\n    return x + 1\n");
  for (int run = 0; run < runs_until_rewritten; ++run) (void)module.forward({1});
  return module;
}

// Its operators are those of eager: that the call was one of the interpreter is seen by the program that the interpreter ran last.
Timed script(const Args& args) {
  const Network network(args);
  torch::jit::Module module = script_of(network);
  for (int run = 0; run < runs_until_rewritten; ++run) (void)module.forward({network.images});
  return each_time([other = other_program()]() mutable { (void)other.forward({1}); },
                   [module, images = network.images](Recorder& recorder) mutable {
                     Tensor y = module.forward({images}).toTensor();
                     recorder.put("interpreted", static_cast<double>(rewritten_nodes("aten::batch_norm")));
                     return y;
                   });
}

Timed frozen(const Args& args) {
  const Network network(args);
  return calls_of(torch::jit::freeze(script_of(network)), network.images);
}

Timed optimized(const Args& args) {
  const Network network(args);
  torch::jit::Module module = script_of(network);
  return calls_of(torch::jit::optimize_for_inference(module), network.images);
}

// The operators that one call made, as a graph: control flow is gone, and the weights are constants of it.
Timed traced(const Args& args) {
  const Network network(args);
  const auto once = [&](const torch::jit::Stack& inputs) -> torch::jit::Stack {
    return {run(network.second, run(network.first, inputs.front().toTensor()))};
  };
  const auto no_names = [](const Tensor&) { return std::string(); };
  const auto state = torch::jit::tracer::trace({network.images}, once, no_names).first;
  const auto forward = std::make_shared<torch::jit::GraphFunction>("forward", state->graph, nullptr);
  for (int call = 0; call < runs_until_rewritten; ++call) (void)(*forward)({network.images});
  return [forward, images = network.images] { return (*forward)({images}).toTensor(); };
}

// Frozen, then written as torch::jit::save does, and read again: what one process builds and others serve. Only the written module says that it is.
Timed loaded(const Args& args) {
  const Network network(args);
  torch::jit::Module script = script_of(network);
  script.register_attribute("written", c10::BoolType::get(), false);
  torch::jit::Module built = torch::jit::freeze(script, std::vector<std::string>{"written"});
  std::stringstream file;
  built.setattr("written", true);
  built.save(file);
  built.setattr("written", false);
  torch::jit::Module module = torch::jit::load(file);
  for (int run = 0; run < runs_until_rewritten; ++run) (void)module.forward({network.images});
  return [module, images = network.images](Recorder& recorder) mutable {
    recorder.put("read", module.attr("written").toBool() ? 1 : 0);
    return module.forward({images}).toTensor();
  };
}

TORCHGATE_GROUP("script") {
  const Axis batch = group.axis("batch", {1, 2});
  group.quick(batch(1)).only_full(batch(2)).items(batch);

  group.reference("eager", eager);
  group.variant("script", script)
      .measures(count("interpreted"))
      .proves(calls("aten::batch_norm") == 2)
      .proves(metric("interpreted") == 2);
  group.variant("frozen", frozen)
      .proves(calls("aten::conv2d") == 2)
      .proves(calls("aten::batch_norm") == 0)
      .claims(metric("operator_calls") <= 0.8 * reference())
      .claims(metric("allocations") <= 0.7 * reference());
  group.variant("optimized", optimized)
      .proves(calls("aten::conv2d") == 0)
      .proves(calls("aten::batch_norm") == 0)
      .claims(metric("operator_calls") <= 0.5 * reference())
      .claims(metric("allocated_bytes") <= 0.6 * reference());
  group.variant("traced", traced)
      .only(batch(1))
      .quick(none)
      .proves(calls("aten::batch_norm") == 2)
      .proves(calls("aten::conv2d") == 0)  // what it called is recorded
      .proves(calls("aten::_convolution") == 2)
      .claims(metric("operator_calls") <= 0.95 * reference());
  group.variant("loaded", loaded)
      .only(batch(1))
      .quick(none)
      .measures(count("read"))
      .proves(metric("read") == 1)
      .proves(calls("aten::conv2d") == 2)
      .proves(calls("aten::batch_norm") == 0)
      .claims(metric("operator_calls") <= 0.8 * reference())
      .claims(metric("allocations") <= 0.7 * reference());
}

}  // namespace
}  // namespace torchgate::suites::script
