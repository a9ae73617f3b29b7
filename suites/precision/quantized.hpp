// SPDX-License-Identifier: Apache-2.0
// INT8 layers made from trained ones: weights per output channel, activations per tensor.
#pragma once

#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>

#include "suites/common/int8.hpp"

namespace torchgate::suites {

/// A layer with its weights packed for one engine.
struct Packed {
  c10::IValue weights;
  Quantization output;  ///< of a static layer
};

Packed pack(const torch::nn::Linear& layer, Quantization output = {});
Packed pack(const torch::nn::Conv2d& layer, Quantization output = {});

/// x is FP32: its range is found and it is quantized in every call. The result is FP32.
torch::Tensor linear_dynamic(const torch::Tensor& x, const Packed& layer);
// Static: x and the result are quantized.
torch::Tensor linear(const torch::Tensor& x, const Packed& layer);
torch::Tensor linear_relu(const torch::Tensor& x, const Packed& layer);
torch::Tensor conv2d_relu(const torch::Tensor& x, const Packed& layer);

}  // namespace torchgate::suites
