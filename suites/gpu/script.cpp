// SPDX-License-Identifier: Apache-2.0
// TorchScript on a GPU: its fuser (NNC) makes one kernel of a chain of pointwise operators, and freezing folds batch normalisation into the convolution. The
// CPU half is fusion/script, where LibTorch's wheel has no fuser.
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

#include <algorithm>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/interpreter.hpp"

namespace torchgate::suites::gpu_script {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;

constexpr std::int64_t channels = 32;
constexpr std::int64_t size = 56;
constexpr double epsilon = 1e-5;
constexpr double momentum = 0.1;

struct Layer {
  Tensor images;
  Tensor weight;
  Tensor bias;
  Tensor scale;
  Tensor shift;
  Tensor mean;
  Tensor variance;

  explicit Layer(const Args& args) {
    constexpr std::int64_t batch = 8;
    constexpr std::int64_t kernel = 3;
    constexpr double weight_size = 0.1;
    Inputs inputs(args);
    images = inputs.normal({batch, channels, size, size});
    weight = inputs.normal({channels, channels, kernel, kernel}) * weight_size;
    bias = inputs.normal({channels});
    scale = inputs.normal({channels});
    shift = inputs.normal({channels});
    mean = inputs.normal({channels});
    variance = inputs.normal({channels}).abs() + 1;
  }
};

// LibTorch's own batch normalisation: cuDNN's is another operator.
Timed eager(const Args& args) {
  return [layer = Layer(args)] {
    const Tensor y = torch::conv2d(layer.images, layer.weight, layer.bias, /*stride=*/1, /*padding=*/1);
    const Tensor z = torch::batch_norm(y, layer.scale, layer.shift, layer.mean, layer.variance, /*training=*/false,
                                       momentum, epsilon, /*cudnn_enabled=*/false);
    return torch::tanh(torch::sigmoid(z * 2 + 1) * z);
  };
}

torch::jit::Module script_of(const Layer& layer) {
  torch::jit::Module module("ConvBnGate");
  module.register_parameter("weight", layer.weight, /*is_buffer=*/false);
  module.register_parameter("bias", layer.bias, false);
  module.register_parameter("scale", layer.scale, false);
  module.register_parameter("shift", layer.shift, false);
  module.register_buffer("mean", layer.mean);
  module.register_buffer("variance", layer.variance);
  module.register_attribute("training", c10::BoolType::get(), false);
  module.define(R"(
def forward(self, x):
    y = torch.conv2d(x, self.weight, self.bias, [1, 1], [1, 1], [1, 1], 1)
    z = torch.batch_norm(y, self.scale, self.shift, self.mean, self.variance, False, 0.1, 1e-5, False)
    return torch.tanh(torch.sigmoid(z * 2 + 1) * z)
)");
  return module;
}

Timed calls_of(torch::jit::Module module, const Tensor& images) {
  for (int run = 0; run < runs_until_rewritten; ++run) (void)module.forward({images});
  // NNC fuses batch normalisation, too: whether it was folded before is in the module's own program.
  const auto nodes = module.get_method("forward").graph()->nodes();
  const auto norms = std::count_if(nodes.begin(), nodes.end(),
                                   [](const torch::jit::Node* node) { return node->kind() == at::aten::batch_norm; });
  return [module, images, norms, groups = rewritten_nodes("prim::TensorExprGroup")](Recorder& recorder) mutable {
    recorder.put("norms", static_cast<double>(norms));
    recorder.put("fused_groups", static_cast<double>(groups));
    return module.forward({images}).toTensor();
  };
}

Timed script(const Args& args) {
  const Layer layer(args);
  return calls_of(script_of(layer), layer.images);
}

Timed frozen(const Args& args) {
  const Layer layer(args);
  return calls_of(torch::jit::freeze(script_of(layer)), layer.images);
}

TORCHGATE_GROUP("script") {
  group.axis("device", {"cuda"});
  group.quick(none);

  group.reference("eager", eager).proves(calls("aten::batch_norm") == 1);
  group.variant("script", script)
      .measures(count("norms"))
      .measures(count("fused_groups"))
      .proves(metric("norms") == 1)
      .proves(metric("fused_groups") >= 1)
      .claims(metric("kernel_launches") <= 0.8 * reference());
  group.variant("frozen", frozen)
      .measures(count("norms"))
      .measures(count("fused_groups"))
      .proves(metric("norms") == 0)
      .proves(metric("fused_groups") >= 1)
      .claims(metric("kernel_launches") <= 0.7 * reference());
}

}  // namespace
}  // namespace torchgate::suites::gpu_script
