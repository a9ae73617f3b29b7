// SPDX-License-Identifier: Apache-2.0
#include "suites/models/int8.hpp"

#include <torch/torch.h>

#include "suites/common/operator.hpp"

namespace torchgate::suites {
namespace {

using torch::Tensor;

c10::List<std::int64_t> both(const torch::ExpandingArray<2>& pair) {
  return c10::List<std::int64_t>({(*pair)[0], (*pair)[1]});
}

}  // namespace

c10::IValue pack_linear(const Tensor& weight, const Tensor& bias) {
  static const Operator prepack("quantized::linear_prepack");
  return prepack({quantize_weight(weight), bias});
}

Tensor linear_dynamic(const Tensor& x, const c10::IValue& packed) {
  static const Operator op("quantized::linear_dynamic");
  return op({x, packed, reduces_range()}).toTensor();
}

QuantizedConvolution::QuantizedConvolution(const torch::nn::Conv2d& convolution, Quantization output_)
    : output(output_) {
  static const Operator prepack("quantized::conv2d_prepack");
  const auto& options = convolution->options;
  const auto padding = both(std::get<torch::ExpandingArray<2>>(options.padding()));
  const Tensor weight = quantize_weight(convolution->weight);
  parameter_bytes = static_cast<std::int64_t>(weight.nbytes() + convolution->bias.nbytes());
  packed =
      prepack({weight, convolution->bias, both(options.stride()), padding, both(options.dilation()), options.groups()});
}

Tensor QuantizedConvolution::operator()(const Tensor& x) const {
  static const Operator op("quantized::conv2d", "new");
  return op({x, packed, output.scale, output.zero_point}).toTensor();
}

Tensor QuantizedConvolution::with_relu(const Tensor& x) const {
  static const Operator op("quantized::conv2d_relu", "new");
  return op({x, packed, output.scale, output.zero_point}).toTensor();
}

Tensor add_relu(const Tensor& a, const Tensor& b, Quantization output) {
  static const Operator op("quantized::add_relu");
  return op({a, b, output.scale, output.zero_point}).toTensor();
}

Tensor pack_embeddings(const Tensor& table) {
  static const Operator op("quantized::embedding_bag_byte_prepack");
  return op({table}).toTensor();
}

Tensor sum_bags(const Tensor& packed, const Tensor& indices, const Tensor& offsets) {
  static const Operator op("quantized::embedding_bag_byte_rowwise_offsets");
  constexpr std::int64_t sum_of_rows = 0;
  const c10::IValue none;
  return op({packed, indices, offsets, /*scale_grad_by_freq=*/false, sum_of_rows, /*pruned_weights=*/false,
             /*per_sample_weights=*/none, /*compressed_indices_mapping=*/none, /*include_last_offset=*/false})
      .toTensor();
}

}  // namespace torchgate::suites
