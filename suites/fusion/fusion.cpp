// SPDX-License-Identifier: Apache-2.0
// Fusion: fewer operators, or fewer passes over memory, for the same result.
#include "suites/common/inputs.hpp"
#include "suites/common/operator.hpp"

#include "harness/bench/torch/suite.hpp"

namespace torchgate::suites::fusion {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Inputs;
using torchgate::suites::Operator;

// --- conv_bn: a 1x1 and a 3x3 convolution, each with batch normalisation and ReLU, as in a residual block -------------

struct ConvBn {
  torch::nn::Conv2d convolution;
  torch::nn::BatchNorm2d norm;
};

constexpr std::int64_t conv_channels = 16;
constexpr std::int64_t conv_size = 28;

std::vector<ConvBn> conv_bn_layers(const Args& args, Inputs& inputs) {
  std::vector<ConvBn> layers;
  for (const std::int64_t kernel : {1, 3}) {
    layers.push_back(
        {torch::nn::Conv2d(torch::nn::Conv2dOptions(conv_channels, conv_channels, kernel).padding(kernel / 2)),
         torch::nn::BatchNorm2d(conv_channels)});
    auto& [convolution, norm] = layers.back();
    convolution->to(device_of(args));
    norm->to(device_of(args));
    norm->eval();
    // As in a trained network: with the numbers of a new one, forgetting them would not change the output.
    norm->weight.copy_(inputs.normal({conv_channels}));
    norm->bias.copy_(inputs.normal({conv_channels}));
    norm->running_mean.copy_(inputs.normal({conv_channels}));
    norm->running_var.copy_(inputs.normal({conv_channels}).abs() + 0.5);
    const auto format =
        args.text("layout") == "nhwc" ? torch::MemoryFormat::ChannelsLast : torch::MemoryFormat::Contiguous;
    convolution->weight.set_data(convolution->weight.contiguous(format));
  }
  return layers;
}

Tensor conv_images(const Args& args, Inputs& inputs) {
  return inputs.normal({args.number("batch"), conv_channels, conv_size, conv_size});
}

Timed conv_bn_eager(const Args& args) {
  Inputs inputs(args);
  auto layers = conv_bn_layers(args, inputs);
  const Tensor images = conv_images(args, inputs);
  return [=]() mutable {
    Tensor y = images;
    for (auto& [convolution, norm] : layers) y = torch::relu(norm->forward(convolution->forward(y)));
    return y;
  };
}

// Batch normalisation of an evaluated network is one multiplication and one addition per channel, and so is the end of
// a convolution: w' = w * g / sqrt(v + eps), b' = (b - m) * g / sqrt(v + eps) + beta.
void fold(ConvBn& layer) {
  auto& [convolution, norm] = layer;
  const Tensor factor = norm->weight / torch::sqrt(norm->running_var + norm->options.eps());
  const Tensor bias = (convolution->bias - norm->running_mean) * factor + norm->bias;
  convolution->weight.mul_(factor.view({-1, 1, 1, 1}));
  convolution->bias.copy_(bias);
}

Timed conv_bn_folded(const Args& args) {
  Inputs inputs(args);
  auto layers = conv_bn_layers(args, inputs);
  for (ConvBn& layer : layers) fold(layer);
  const Tensor images = conv_images(args, inputs);
  return [=]() mutable {
    Tensor y = images;
    for (auto& [convolution, norm] : layers) y = convolution->forward(y).relu_();
    return y;
  };
}

TORCHGATE_GROUP("conv_bn") {
  const Axis batch = group.axis("batch", {1, 4});
  const Axis layout = group.axis("layout", {"nchw", "nhwc"});
  group.quick(where(batch(4), layout("nhwc"))).devices().items(batch);

  group.reference("eager", conv_bn_eager);
  group.variant("folded", conv_bn_folded)
      .proves(calls("aten::batch_norm") == 0)
      .proves(calls("aten::relu_") == 2)
      .claims(time() <= 0.9 * reference(), where(cpu, batch(4), layout("nhwc")))
      .claims(metric("allocations") <= 0.6 * reference(), cpu);
}

// --- linear_relu: one layer of a feed-forward block ---------------------------------------------------------------------

struct LinearRelu {
  Tensor x;
  Tensor weight;
  Tensor bias;

  explicit LinearRelu(const Args& args) {
    constexpr std::int64_t in = 64;
    constexpr std::int64_t out = 1024;
    Inputs inputs(args);
    x = inputs.normal({args.number("rows"), in});
    weight = inputs.normal({out, in}) * 0.1;
    bias = inputs.normal({out});
  }
};

Timed linear_relu_eager(const Args& args) {
  return [l = LinearRelu(args)] { return torch::relu(torch::linear(l.x, l.weight, l.bias)); };
}

Timed linear_relu_in_place(const Args& args) {
  return [l = LinearRelu(args)] { return torch::linear(l.x, l.weight, l.bias).relu_(); };
}

Timed linear_relu_epilogue(const Args& args) {
  return [l = LinearRelu(args)] { return at::_addmm_activation(l.bias, l.x, l.weight.t()); };
}

// XNNPACK's linear layer: weights packed beforehand, the clamp at zero applied while the result is in registers. No claim about its time: it
// takes 0.4 times that of the reference on a CPU with AVX-512, and 2 times on one with AVX2 alone.
Timed linear_relu_prepacked(const Args& args) {
  const LinearRelu l(args);
  const Operator prepack("prepacked::linear_clamp_prepack");
  const c10::IValue least = at::Scalar(0.0);
  const c10::IValue most;  // none
  return
      [x = l.x, packed = prepack({l.weight, l.bias, least, most}), linear = Operator("prepacked::linear_clamp_run")] {
        return linear({x, packed}).toTensor();
      };
}

// oneDNN's linear layer, with ReLU applied while the result is in registers. Inductor calls it, with weights in the layout that oneDNN prefers.
Timed linear_relu_pointwise(const Args& args) {
  const LinearRelu l(args);
  const Tensor packed = Operator("mkldnn::_reorder_linear_weight")({l.weight, l.x.size(0)}).toTensor();
  const c10::List<std::optional<at::Scalar>> no_arguments;
  const c10::IValue no_algorithm;
  return [=, pointwise = Operator("mkldnn::_linear_pointwise")] {
    return pointwise({l.x, packed, l.bias, "relu", no_arguments, no_algorithm}).toTensor();
  };
}

TORCHGATE_GROUP("linear_relu") {
  const Axis rows = group.axis("rows", {32, 128});
  group.quick(rows(128)).devices().items(rows);

  group.reference("eager", linear_relu_eager);
  group.variant("in_place", linear_relu_in_place)
      .quick(cuda)
      .proves(calls("aten::relu_") == 1)
      .claims(metric("peak_bytes") <= 0.6 * reference(), cpu);
  group.variant("epilogue", linear_relu_epilogue)
      .quick(cuda)
      .proves(calls("aten::_addmm_activation") == 1)
      .claims(metric("peak_bytes") <= 0.6 * reference(), cpu);
  group.variant("prepacked", linear_relu_prepacked)
      .only(cpu)
      .needs("operator:prepacked::linear_clamp_prepack")  // LibTorch is built without XNNPACK since 2.15
      .proves(calls("prepacked::linear_clamp_run") == 1);
  group.variant("pointwise", linear_relu_pointwise)
      .only(cpu)
      .needs("operator:mkldnn::_linear_pointwise")
      .proves(calls("mkldnn::_linear_pointwise") == 1)
      .proves(calls("aten::relu") == 0)
      .claims(metric("peak_bytes") <= 0.6 * reference());
}

// --- gelu: a chain of pointwise operators, each a pass over memory ------------------------------------------------------

constexpr double sqrt_half = 0.70710678118654752;

Tensor gelu_values(const Args& args) {
  return Inputs(args).normal({args.number("elements")});
}

Timed gelu_chain(const Args& args) {
  return [x = gelu_values(args)] { return x * 0.5 * (torch::erf(x * sqrt_half) + 1); };
}

Timed gelu_in_place(const Args& args) {
  return [x = gelu_values(args)] { return (x * sqrt_half).erf_().add_(1).mul_(x).mul_(0.5); };
}

Timed gelu_fused(const Args& args) {
  return [x = gelu_values(args)] { return torch::gelu(x); };
}

TORCHGATE_GROUP("gelu") {
  const Axis elements = group.axis("elements", {50'000, 100'000});
  group.quick(elements(100'000)).devices().items(elements);

  group.reference("chain", gelu_chain);
  group.variant("in_place", gelu_in_place)
      .quick(cuda)
      .proves(calls("aten::mul_") == 2)
      .claims(metric("peak_bytes") <= 0.6 * reference(), cpu);
  group.variant("fused", gelu_fused)
      .proves(calls("aten::gelu") == 1)
      .claims(time() <= 0.8 * reference(), cpu)
      .claims(metric("peak_bytes") <= 0.6 * reference(), cpu);
}

}  // namespace
}  // namespace torchgate::suites::fusion
