// SPDX-License-Identifier: Apache-2.0
#include "suites/precision/quantized.hpp"

#include <ATen/Context.h>
#include <torch/torch.h>

#include <cmath>

#include "suites/common/operator.hpp"

namespace torchgate::suites {
namespace {

using torch::Tensor;

constexpr double byte_steps = 255;
constexpr double largest_weight = 127;

// Symmetric, one scale for each output channel.
Tensor quantize_weight(const Tensor& weight) {
  const std::int64_t channels = weight.size(0);
  const Tensor largest = std::get<0>(weight.abs().reshape({channels, -1}).max(1));
  const Tensor scales = (largest / largest_weight).to(torch::kDouble);
  return at::quantize_per_channel(weight, scales, torch::zeros({channels}, torch::kLong), 0, torch::kQInt8);
}

c10::List<std::int64_t> both(const torch::ExpandingArray<2>& pair) {
  return c10::List<std::int64_t>({(*pair)[0], (*pair)[1]});
}

Tensor run_static(const Operator& layer_operator, const Tensor& x, const Packed& layer) {
  return layer_operator({x, layer.weights, layer.output.scale, layer.output.zero_point}).toTensor();
}

}  // namespace

void use_quantized_engine(const char* name) {
  for (const at::QEngine engine : at::globalContext().supportedQEngines()) {
    if (c10::toString(engine) == name) {
      at::globalContext().setQEngine(engine);
      return;
    }
  }
  TORCH_CHECK(false, "unknown quantized engine ", name);
}

Quantization calibrate(const Tensor& seen) {
  // Zero has to be representable exactly: padding and ReLU produce it.
  const double least = std::min(0.0, seen.min().item<double>());
  const double most = std::max(0.0, seen.max().item<double>());
  const double scale = (most - least) / byte_steps;
  return {scale, std::lround(-least / scale)};
}

Tensor quantize(const Tensor& x, Quantization quantization) {
  return at::quantize_per_tensor(x, quantization.scale, quantization.zero_point, torch::kQUInt8);
}

Packed pack(const torch::nn::Linear& layer, Quantization output) {
  static const Operator prepack("quantized::linear_prepack");
  return {prepack({quantize_weight(layer->weight), layer->bias}), output};
}

Packed pack(const torch::nn::Conv2d& layer, Quantization output) {
  static const Operator prepack("quantized::conv2d_prepack");
  const auto& options = layer->options;
  const auto padding = both(std::get<torch::ExpandingArray<2>>(options.padding()));
  return {prepack({quantize_weight(layer->weight), layer->bias, both(options.stride()), padding,
                   both(options.dilation()), options.groups()}),
          output};
}

Tensor linear_dynamic(const Tensor& x, const Packed& layer) {
  static const Operator op("quantized::linear_dynamic");
  constexpr bool reduce_range = false;  // needed only without VNNI, where sums of 16 bits overflow
  return op({x, layer.weights, reduce_range}).toTensor();
}

Tensor linear(const Tensor& x, const Packed& layer) {
  static const Operator op("quantized::linear");
  return run_static(op, x, layer);
}

Tensor linear_relu(const Tensor& x, const Packed& layer) {
  static const Operator op("quantized::linear_relu");
  return run_static(op, x, layer);
}

Tensor conv2d_relu(const Tensor& x, const Packed& layer) {
  static const Operator op("quantized::conv2d_relu", "new");
  return run_static(op, x, layer);
}

}  // namespace torchgate::suites
