// SPDX-License-Identifier: Apache-2.0
// Convolutions with what follows them: the addition and ReLU of a residual block, batch normalisation in three dimensions.
#include <ATen/ops/cudnn_convolution_add_relu.h>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/operator.hpp"
#include "suites/common/requirements.hpp"

namespace torchgate::suites::convolution {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Inputs;
using torchgate::suites::libtorch_2_15_or_newer;
using torchgate::suites::Operator;

// --- conv_add_relu: relu(conv(x) + other), the end of a residual block ----------------------------------------------------

constexpr std::int64_t stride = 1;
constexpr std::int64_t padding = 1;
constexpr std::int64_t dilation = 1;
constexpr std::int64_t groups = 1;

struct ResidualEnd {
  Tensor x;
  Tensor other;
  Tensor weight;
  Tensor bias;

  explicit ResidualEnd(const Args& args) {
    constexpr std::int64_t channels = 32;
    constexpr std::int64_t size = 28;
    constexpr std::int64_t kernel = 3;
    constexpr double weight_size = 0.1;
    constexpr auto nhwc = torch::MemoryFormat::ChannelsLast;
    Inputs inputs(args);
    x = inputs.normal({args.number("batch"), channels, size, size}).contiguous(nhwc);
    other = inputs.normal({args.number("batch"), channels, size, size}).contiguous(nhwc);
    weight = (inputs.normal({channels, channels, kernel, kernel}) * weight_size).contiguous(nhwc);
    bias = inputs.normal({channels});
  }
};

Timed residual_eager(const Args& args) {
  return
      [r = ResidualEnd(args)] { return torch::relu(torch::conv2d(r.x, r.weight, r.bias, stride, padding) + r.other); };
}

Timed residual_in_place(const Args& args) {
  return
      [r = ResidualEnd(args)] { return torch::conv2d(r.x, r.weight, r.bias, stride, padding).add_(r.other).relu_(); };
}

c10::IValue both(std::int64_t value) {
  return c10::List<std::int64_t>({value, value});
}

// oneDNN adds and clamps while the result of the convolution is in registers. Inductor calls this operator, with weights in
// the layout that oneDNN prefers; neither has a function in C++.
Timed residual_pointwise(const Args& args) {
  const ResidualEnd r(args);
  const Operator reorder("mkldnn::_reorder_convolution_weight");
  const c10::List<std::int64_t> size_of_x(r.x.sizes());
  const Tensor weight = reorder({r.weight, both(padding), both(stride), both(dilation), groups, size_of_x}).toTensor();
  const c10::IValue factor = at::Scalar(1.0);
  const c10::List<std::optional<at::Scalar>> no_arguments;
  const c10::IValue no_algorithm;
  return [=, pointwise = Operator("mkldnn::_convolution_pointwise", "binary")] {
    return pointwise({r.x, r.other, weight, r.bias, both(padding), both(stride), both(dilation), groups, "add", factor,
                      "relu", no_arguments, no_algorithm})
        .toTensor();
  };
}

Timed residual_cudnn(const Args& args) {
  return [r = ResidualEnd(args)] {
    return at::cudnn_convolution_add_relu(r.x, r.weight, r.other, /*alpha=*/1.0, r.bias, {stride, stride},
                                          {padding, padding}, {dilation, dilation}, groups);
  };
}

TORCHGATE_GROUP("conv_add_relu") {
  const Axis batch = group.axis("batch", {2});
  group.devices().items(batch);

  group.reference("eager", residual_eager);
  group.variant("in_place", residual_in_place)
      .quick(cuda)
      .proves(calls("aten::add_") == 1, cpu)
      .proves(calls("aten::add_") == 2, cuda)  // LibTorch adds the bias to the result of cuDNN
      .proves(calls("aten::relu_") == 1)
      .claims(metric("peak_bytes") <= 0.6 * reference(), cpu);
  group.variant("pointwise", residual_pointwise)
      .only(cpu)
      .needs("operator:mkldnn::_convolution_pointwise")
      .proves(calls("mkldnn::_convolution_pointwise") == 1)
      .proves(calls("aten::relu") == 0)
      .claims(metric("peak_bytes") <= 0.8 * reference())
      .claims(metric("peak_bytes") <= 0.6 * reference(), {}, libtorch_2_15_or_newer());
  group.variant("cudnn", residual_cudnn).within(1e-4).only(cuda).proves(calls("aten::cudnn_convolution_add_relu") == 1);
}

// --- conv3d_bn: a convolution of a video or a volume with batch normalisation and ReLU -------------------------------------

struct Conv3dBn {
  torch::nn::Conv3d convolution{nullptr};
  torch::nn::BatchNorm3d norm{nullptr};
  Tensor x;

  explicit Conv3dBn(const Args& args) {
    constexpr std::int64_t channels = 8;
    constexpr std::int64_t kernel = 3;
    constexpr std::int64_t frames = 8;
    constexpr std::int64_t size = 16;
    Inputs inputs(args);
    convolution = torch::nn::Conv3d(torch::nn::Conv3dOptions(channels, channels, kernel).padding(padding));
    norm = torch::nn::BatchNorm3d(channels);
    convolution->to(device_of(args));
    norm->to(device_of(args));
    norm->eval();
    // As in a trained network: with the numbers of a new one, forgetting them would not change the output.
    norm->weight.copy_(inputs.normal({channels}));
    norm->bias.copy_(inputs.normal({channels}));
    norm->running_mean.copy_(inputs.normal({channels}));
    norm->running_var.copy_(inputs.normal({channels}).abs() + 0.5);
    x = inputs.normal({args.number("batch"), channels, frames, size, size});
  }

  // As in fusion/conv_bn: one multiplication and one addition per channel become part of weight and bias.
  void fold() {
    const Tensor factor = norm->weight / torch::sqrt(norm->running_var + norm->options.eps());
    const Tensor bias = (convolution->bias - norm->running_mean) * factor + norm->bias;
    convolution->weight.mul_(factor.view({-1, 1, 1, 1, 1}));
    convolution->bias.copy_(bias);
  }
};

Timed conv3d_bn_eager(const Args& args) {
  return [c = Conv3dBn(args)]() mutable { return torch::relu(c.norm->forward(c.convolution->forward(c.x))); };
}

Timed conv3d_bn_folded(const Args& args) {
  Conv3dBn folded(args);
  folded.fold();
  return [convolution = folded.convolution, x = folded.x]() mutable { return convolution->forward(x).relu_(); };
}

TORCHGATE_GROUP("conv3d_bn") {
  const Axis batch = group.axis("batch", {1});
  group.devices().items(batch);

  group.reference("eager", conv3d_bn_eager);
  group.variant("folded", conv3d_bn_folded)
      .proves(calls("aten::batch_norm") == 0)
      .proves(calls("aten::relu_") == 1)
      .claims(metric("allocations") <= 0.4 * reference(), cpu);
}

}  // namespace
}  // namespace torchgate::suites::convolution
