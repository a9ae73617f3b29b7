// SPDX-License-Identifier: Apache-2.0
#include "suites/precision/quantized.hpp"

#include <torch/torch.h>

#include "suites/common/operator.hpp"

namespace torchgate::suites {
namespace {

using torch::Tensor;

c10::List<std::int64_t> both(const torch::ExpandingArray<2>& pair) {
  return c10::List<std::int64_t>({(*pair)[0], (*pair)[1]});
}

Tensor run_static(const Operator& layer_operator, const Tensor& x, const Packed& layer) {
  return layer_operator({x, layer.weights, layer.output.scale, layer.output.zero_point}).toTensor();
}

}  // namespace

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
  return op({x, layer.weights, reduces_range()}).toTensor();
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
