// SPDX-License-Identifier: Apache-2.0
// A TorchScript model prepared for mobile devices: optimizeForMobile packs its weights for XNNPACK and applies ReLU in the
// same operator. Only the CPU half: this LibTorch has neither Metal nor Vulkan.
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/passes/remove_dropout.h>
#include <torch/csrc/jit/passes/xnnpack_rewrite.h>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/interpreter.hpp"

namespace torchgate::suites::mobile {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Inputs;

constexpr std::int64_t width = 128;
constexpr std::int64_t hidden = 256;
constexpr std::int64_t classes = 10;
constexpr double weight_size = 0.1;

constexpr const char* source = R"(
def forward(self, x):
    x = torch.relu(torch.linear(x, self.weight1, self.bias1))
    x = torch.dropout(x, 0.5, False)
    x = torch.relu(torch.linear(x, self.weight2, self.bias2))
    x = torch.dropout(x, 0.5, False)
    return torch.linear(x, self.weight3, self.bias3)
)";

torch::jit::Module script_of(Inputs& inputs) {
  torch::jit::Module module("Classifier");
  const auto add = [&](const std::string& number, std::int64_t in, std::int64_t out) {
    module.register_parameter("weight" + number, inputs.normal({out, in}) * weight_size, /*is_buffer=*/false);
    module.register_parameter("bias" + number, inputs.normal({out}), /*is_buffer=*/false);
  };
  add("1", width, hidden);
  add("2", hidden, hidden);
  add("3", hidden, classes);
  // freeze() refuses a module that does not say whether it is being trained.
  module.register_attribute("training", c10::BoolType::get(), false);
  module.define(source);
  return module;
}

// The interpreter profiles its first run and rewrites the program in the second: both belong to the building.
Timed calls_of(torch::jit::Module module, const Tensor& x) {
  for (int run = 0; run < runs_until_rewritten; ++run) (void)module.forward({x});
  return [module, x]() mutable { return module.forward({x}).toTensor(); };
}

Timed script(const Args& args) {
  Inputs inputs(args);
  const torch::jit::Module module = script_of(inputs);
  return calls_of(module, inputs.normal({args.number("rows"), width}));
}

Timed no_dropout(const Args& args) {
  Inputs inputs(args);
  torch::jit::Module module = torch::jit::freeze(script_of(inputs));
  torch::jit::removeDropout(module);
  return calls_of(module, inputs.normal({args.number("rows"), width}));
}

Timed for_mobile(const Args& args) {
  Inputs inputs(args);
  const torch::jit::Module module = torch::jit::optimizeForMobile(script_of(inputs));
  return calls_of(module, inputs.normal({args.number("rows"), width}));
}

TORCHGATE_GROUP("mobile") {
  const Axis rows = group.axis("rows", {1, 32});
  group.quick(rows(32)).only_full(rows(1)).items(rows);

  group.reference("script", script);
  group.variant("no_dropout", no_dropout)
      .within(1e-6)
      .quick(none)
      .proves(calls("aten::dropout") == 0)
      .claims(metric("operator_calls") <= 0.97 * reference());
  group.variant("for_mobile", for_mobile)
      .needs("operator:prepacked::linear_clamp_prepack")  // LibTorch is built without XNNPACK since 2.15
      .proves(calls("prepacked::linear_clamp_run") == 3)
      .proves(calls("aten::dropout") == 0)
      .claims(metric("operator_calls") <= 0.6 * reference())
      .claims(metric("allocations") <= 0.5 * reference());
}

}  // namespace
}  // namespace torchgate::suites::mobile
