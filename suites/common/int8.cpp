// SPDX-License-Identifier: Apache-2.0
#include "suites/common/int8.hpp"

#include <ATen/Context.h>
#include <torch/torch.h>

#include <algorithm>
#include <cmath>

#include "harness/bench/run/cpu_feature.hpp"

namespace torchgate::suites {

using torch::Tensor;

void use_quantized_engine(const char* name) {
  for (const at::QEngine engine : at::globalContext().supportedQEngines()) {
    if (c10::toString(engine) == name) {
      at::globalContext().setQEngine(engine);
      return;
    }
  }
  TORCH_CHECK(false, "unknown quantized engine ", name);
}

bool reduces_range() {
  static const bool reduces = bench::missing_cpu_feature("avx512_vnni").has_value();
  return reduces;
}

int largest_activation() {
  constexpr int seven_bits = 127;
  constexpr int eight_bits = 255;
  return reduces_range() ? seven_bits : eight_bits;
}

Quantization bytes_for(double least, double most, int most_byte) {
  const double low = std::min(0.0, least);
  const double scale = (std::max(0.0, most) - low) / most_byte;
  return {scale, std::lround(-low / scale)};
}

Quantization calibrate(const Tensor& seen) {
  return bytes_for(seen.min().item<double>(), seen.max().item<double>());
}

Tensor quantize(const Tensor& x, Quantization quantization) {
  return at::quantize_per_tensor(x, quantization.scale, quantization.zero_point, torch::kQUInt8);
}

Tensor quantize_weight(const Tensor& weight) {
  constexpr double largest_byte = 127;
  const std::int64_t channels = weight.size(0);
  const Tensor largest = weight.abs().reshape({channels, -1}).amax(1);
  const Tensor scales = (largest / largest_byte).to(torch::kDouble);
  return at::quantize_per_channel(weight, scales, torch::zeros({channels}, torch::kLong), 0, torch::kQInt8);
}

}  // namespace torchgate::suites
