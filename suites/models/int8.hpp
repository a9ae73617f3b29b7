// SPDX-License-Identifier: Apache-2.0
// INT8 layers from FP32 weights: one scale for each output channel of the weights, one for all activations of a tensor.
// The kernels are those of the quantized engine that is selected when a layer is packed.
#pragma once

#include <ATen/core/ivalue.h>
#include <torch/nn/modules/conv.h>
#include <torch/types.h>

#include <cstdint>

#include "suites/common/int8.hpp"

namespace torchgate::suites {

// Dynamic: x and the result are FP32; the range of x is found in each call.
c10::IValue pack_linear(const torch::Tensor& weight, const torch::Tensor& bias);
torch::Tensor linear_dynamic(const torch::Tensor& x, const c10::IValue& packed);

/// A static convolution: input and result are quantized, the result with `output`.
struct QuantizedConvolution {
  c10::IValue packed;
  Quantization output;
  std::int64_t parameter_bytes = 0;  ///< of weight and bias, without the scales of the channels

  QuantizedConvolution(const torch::nn::Conv2d& convolution, Quantization output);
  [[nodiscard]] torch::Tensor operator()(const torch::Tensor& x) const;
  [[nodiscard]] torch::Tensor with_relu(const torch::Tensor& x) const;
};

/// relu(a + b) of quantized tensors.
torch::Tensor add_relu(const torch::Tensor& a, const torch::Tensor& b, Quantization output);

/// A table of embeddings with 8 bits per number, and scale and offset of each row behind it.
torch::Tensor pack_embeddings(const torch::Tensor& table);
/// The sum of the rows of each bag. The result is FP32.
torch::Tensor sum_bags(const torch::Tensor& packed, const torch::Tensor& indices, const torch::Tensor& offsets);

}  // namespace torchgate::suites
