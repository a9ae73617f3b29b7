// SPDX-License-Identifier: Apache-2.0
// ResNet-18 for images of 224x224 [He et al. 2016, table 1], with random weights. The statistics of batch normalisation are
// those of a pass over random images, as after training: each layer's output has the scale that its statistics say, so low
// precision meets the ranges it would meet in a trained network.
#pragma once

#include <torch/csrc/jit/api/module.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/conv.h>
#include <torch/types.h>

#include <optional>
#include <vector>

#include "suites/models/int8.hpp"
#include "suites/models/layers.hpp"

namespace torchgate::suites {

/// A convolution and the batch normalisation behind it, if that is not folded into it.
struct NormalisedConvolution {
  torch::nn::Conv2d convolution{nullptr};
  torch::nn::BatchNorm2d norm{nullptr};

  NormalisedConvolution(std::int64_t inputs, std::int64_t outputs, std::int64_t kernel, std::int64_t stride);
  torch::Tensor operator()(const torch::Tensor& x);
  /// The normalisation as part of the weights, for inference.
  [[nodiscard]] torch::nn::Conv2d folded() const;
  /// Replaces the convolution with the folded one; `norm` is empty from then on.
  void fold();
  [[nodiscard]] torch::jit::Module script() const;
};

/// relu(second(relu(first(x))) + shortcut(x)); without a shortcut of its own the block adds x itself.
struct ResidualBlock {
  NormalisedConvolution first;
  NormalisedConvolution second;
  std::optional<NormalisedConvolution> shortcut;

  ResidualBlock(std::int64_t inputs, std::int64_t outputs, std::int64_t stride);
  torch::Tensor operator()(const torch::Tensor& x);
  [[nodiscard]] torch::jit::Module script() const;
};

struct ResNet18 {
  static constexpr std::int64_t channels = 3;
  static constexpr std::int64_t size = 224;
  static constexpr std::int64_t classes = 1000;

  NormalisedConvolution stem;
  std::vector<ResidualBlock> blocks;
  LinearLayer head;

  ResNet18();
  /// images: [batch, channels, size, size]
  torch::Tensor operator()(const torch::Tensor& images);
  /// What the head gets, before the mean of each channel.
  torch::Tensor features(const torch::Tensor& images);
  /// Folds every batch normalisation.
  void fold();
  /// Weights, biases and statistics, in a fixed order: what a file of the network holds. They are the network's own, not copies.
  [[nodiscard]] std::vector<torch::Tensor> tensors();
  void to(torch::Dtype dtype, torch::MemoryFormat format);
  [[nodiscard]] torch::jit::Module script() const;

 private:
  std::vector<NormalisedConvolution*> convolutions();
};

/// ResNet-18 with INT8 convolutions (PyTorch's static quantization): batch normalisation folded, the ranges of activations found
/// on calibration images. A network that is folded already may be given. The head, a thousandth of the work, stays FP32.
class QuantizedResNet18 {
 public:
  QuantizedResNet18(ResNet18 network, const torch::Tensor& calibration_images);
  torch::Tensor operator()(const torch::Tensor& images) const;
  /// Weights and biases, without the scales of the weights.
  [[nodiscard]] std::int64_t parameter_bytes() const;

 private:
  struct Block {
    QuantizedConvolution first;
    QuantizedConvolution second;
    std::optional<QuantizedConvolution> shortcut;
    Quantization output;
  };

  Quantization input_;
  std::optional<QuantizedConvolution> stem_;
  std::vector<Block> blocks_;
  LinearLayer head_;
};

}  // namespace torchgate::suites
