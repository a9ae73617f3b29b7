// SPDX-License-Identifier: Apache-2.0
#include "suites/models/int8.hpp"

#include <ATen/Context.h>
#include <torch/torch.h>

#include <algorithm>
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

}  // namespace

void select_quantized_engine(const char* name) {
  for (const at::QEngine engine : at::globalContext().supportedQEngines()) {
    if (c10::toString(engine) == name) {
      at::globalContext().setQEngine(engine);
      return;
    }
  }
  TORCH_CHECK(false, "unknown quantized engine ", name);
}

Quantization quantization_of(const Tensor& seen) {
  // Zero has to be representable exactly: padding and ReLU produce it.
  const double least = std::min(0.0, seen.min().item<double>());
  const double most = std::max(0.0, seen.max().item<double>());
  const double scale = (most - least) / byte_steps;
  return {scale, std::lround(-least / scale)};
}

Tensor quantize(const Tensor& x, Quantization quantization) {
  return at::quantize_per_tensor(x, quantization.scale, quantization.zero_point, torch::kQUInt8);
}

c10::IValue pack_linear(const Tensor& weight, const Tensor& bias) {
  static const Operator prepack("quantized::linear_prepack");
  return prepack({quantize_weight(weight), bias});
}

Tensor linear_dynamic(const Tensor& x, const c10::IValue& packed) {
  static const Operator op("quantized::linear_dynamic");
  constexpr bool reduce_range = false;  // needed only without VNNI, where sums of 16 bits overflow
  return op({x, packed, reduce_range}).toTensor();
}

QuantizedConvolution::QuantizedConvolution(const torch::nn::Conv2d& convolution, Quantization output_)
    : output(output_) {
  static const Operator prepack("quantized::conv2d_prepack");
  const auto& options = convolution->options;
  const auto padding = both(std::get<torch::ExpandingArray<2>>(options.padding()));
  packed = prepack({quantize_weight(convolution->weight), convolution->bias, both(options.stride()), padding,
                    both(options.dilation()), options.groups()});
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
