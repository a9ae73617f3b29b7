// SPDX-License-Identifier: Apache-2.0
// Models: parts of networks at the sizes people run, whose activations take megabytes. What they cost beside their
// arithmetic is memory: see harness/launch/README.md, "The allocator".
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/transformerlayer.h>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/models.hpp"

namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Inputs;
using torchgate::suites::Mlp;

// The first residual block of ResNet-18: an image of 224x224 has 64 channels of 56x56 there [He et al. 2016, table 1].
constexpr std::int64_t resnet_channels = 64;
constexpr std::int64_t resnet_size = 56;

struct BasicBlock {
  std::array<torch::nn::Conv2d, 2> convolutions{nullptr, nullptr};
  std::array<torch::nn::BatchNorm2d, 2> norms{nullptr, nullptr};

  explicit BasicBlock(const Args& args) {
    for (std::size_t i = 0; i < convolutions.size(); ++i) {
      convolutions[i] = torch::nn::Conv2d(
          torch::nn::Conv2dOptions(resnet_channels, resnet_channels, /*kernel_size=*/3).padding(1).bias(false));
      norms[i] = torch::nn::BatchNorm2d(resnet_channels);
      convolutions[i]->to(device_of(args));
      norms[i]->to(device_of(args));
      norms[i]->eval();
    }
  }

  Tensor operator()(const Tensor& x) {
    const Tensor inner = torch::relu(norms[0]->forward(convolutions[0]->forward(x)));
    return torch::relu(norms[1]->forward(convolutions[1]->forward(inner)) + x);
  }
};

Timed resnet_block(const Args& args) {
  return [block = BasicBlock(args), x = Inputs(args).normal({args.number("batch"), resnet_channels, resnet_size,
                                                             resnet_size})]() mutable { return block(x); };
}

// What these promise is that a larger input is not more calls: no image, row or token is worked on by itself.
TORCHGATE_GROUP("models/resnet_block")
    .axis("batch", {1, 8})
    .devices()
    .items("batch")
    .sweep("fp32", resnet_block)
    .claims(exact("operator_calls") <= 1.0 * case_with("batch", 1), {{"batch", 8}, {"device", "cpu"}});

// A layer of BERT-base at its longest input [Devlin et al. 2019]: 12 heads, feed-forward width 3072.
constexpr std::int64_t encoder_width = 768;
constexpr std::int64_t encoder_heads = 12;
constexpr std::int64_t encoder_inner = 3072;

Timed encoder_layer(const Args& args) {
  torch::nn::TransformerEncoderLayer layer(
      torch::nn::TransformerEncoderLayerOptions(encoder_width, encoder_heads).dim_feedforward(encoder_inner));
  layer->to(device_of(args));
  layer->eval();
  return [layer, x = Inputs(args).normal({args.number("tokens"), /*batch=*/1, encoder_width})]() mutable {
    return layer->forward(x);
  };
}

TORCHGATE_GROUP("models/encoder_layer")
    .axis("tokens", {128, 512})
    .devices()
    .items("tokens")
    .sweep("fp32", encoder_layer)
    .claims(exact("operator_calls") <= 1.0 * case_with("tokens", 128), {{"tokens", 512}, {"device", "cpu"}});

Timed linear_stack(const Args& args) {
  constexpr std::int64_t width = 1024;
  return [model = Mlp({width, width, width, width, width}, args),
          x = Inputs(args).normal({args.number("rows"), width})]() mutable { return model(x); };
}

TORCHGATE_GROUP("models/linear_stack")
    .axis("rows", {64, 1024})
    .devices()
    .items("rows")
    .sweep("fp32", linear_stack)
    .claims(exact("operator_calls") <= 1.0 * case_with("rows", 64), {{"rows", 1024}, {"device", "cpu"}});

}  // namespace

TORCHGATE_TORCH_SUITE("models")
