// SPDX-License-Identifier: Apache-2.0
// Small models that several suites measure. Plain structs, so that a variant can take them apart and rebuild them:
// fold, quantize, cast. Their weights come from LibTorch's initialisation under the seed of the case.
#pragma once

#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>

#include <cstdint>
#include <vector>

#include "harness/bench/args.hpp"

namespace torchgate::suites {

/// Linear layers with ReLU between them.
struct Mlp {
  std::vector<torch::nn::Linear> layers;

  /// widths: of the input, of each hidden layer, of the output.
  Mlp(const std::vector<std::int64_t>& widths, const bench::Args& args);
  torch::Tensor operator()(torch::Tensor x);
  void to(torch::Dtype dtype);
  /// Weight and bias of each layer, from the first to the last.
  [[nodiscard]] std::vector<torch::Tensor> parameters() const;
};

/// 3x3 convolutions with ReLU, the first with stride 2, then the mean of each channel and a linear head.
struct SmallCnn {
  std::vector<torch::nn::Conv2d> convolutions;
  torch::nn::Linear head{nullptr};

  /// channels: of the input, of each convolution; `classes` outputs. Weights are laid out channels-last.
  SmallCnn(const std::vector<std::int64_t>& channels, std::int64_t classes, const bench::Args& args);
  torch::Tensor operator()(torch::Tensor x);
  void to(torch::Dtype dtype);
};

/// Mean over height and width: [n, c, h, w] to [n, c].
torch::Tensor mean_of_channels(const torch::Tensor& images);

}  // namespace torchgate::suites
