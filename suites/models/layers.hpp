// SPDX-License-Identifier: Apache-2.0
// The layers of the models of this suite: plain structs that can be cast to another type, packed as INT8, or handed over to
// TorchScript.
#pragma once

#include <ATen/core/ivalue.h>
#include <torch/types.h>

#include <cstdint>

namespace torchgate::suites {

/// x * weight^T + bias. After to_int8() the weights are 8 bits wide and the range of x is found in each call (PyTorch's
/// dynamic quantization); input and output stay FP32.
struct LinearLayer {
  torch::Tensor weight;
  torch::Tensor bias;
  c10::IValue packed;  ///< of to_int8(); for the quantized engine that was selected then

  /// Random weights that keep the variance of the input.
  LinearLayer(std::int64_t inputs, std::int64_t outputs);
  torch::Tensor operator()(const torch::Tensor& x) const;
  void to(torch::Dtype dtype);
  void to_int8();
};

/// Normalises the last dimension.
struct LayerNorm {
  torch::Tensor scale;
  torch::Tensor shift;
  double epsilon;

  LayerNorm(std::int64_t width, double epsilon);
  torch::Tensor operator()(const torch::Tensor& x) const;
  void to(torch::Dtype dtype);
};

/// [batch, tokens, heads x width] to [batch, heads, tokens, width], as attention takes it, and back.
torch::Tensor split_heads(const torch::Tensor& x, std::int64_t heads);
torch::Tensor join_heads(const torch::Tensor& x);

}  // namespace torchgate::suites
