// SPDX-License-Identifier: Apache-2.0
// FP8 on the CPU: a quarter of the bytes of the weights for an error that is checked. The CUDA half is gpu/fp8.
#include <ATen/ops/_scaled_mm.h>

#include <cmath>
#include <cstdint>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"

namespace torchgate::suites::fp8 {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Inputs;

constexpr std::int64_t fp8_width = 512;  // a multiple of 16, which the kernels for other devices require

struct Fp8Layer {
  Tensor x;
  Tensor weight;  ///< [out, in]

  explicit Fp8Layer(const Args& args) {
    Inputs inputs(args);
    x = inputs.normal({args.number("rows"), fp8_width});
    weight = inputs.normal({fp8_width, fp8_width}) / std::sqrt(static_cast<double>(fp8_width));
  }
};

/// Numbers of 8 bits with one scale: the largest one becomes the largest of the format. Real value = scale * number.
struct ScaledNumbers {
  Tensor numbers;
  Tensor scale;

  explicit ScaledNumbers(const Tensor& real) {
    constexpr double largest_e4m3 = 448;
    scale = real.abs().max() / largest_e4m3;
    numbers = (real / scale).to(torch::kFloat8_e4m3fn);
  }
  [[nodiscard]] double bytes() const { return static_cast<double>(numbers.nbytes() + scale.nbytes()); }
};

Timed fp32_layer(const Args& args) {
  return [layer = Fp8Layer(args)](Recorder& recorder) {
    recorder.put("weight_bytes", static_cast<double>(layer.weight.nbytes()));
    return torch::linear(layer.x, layer.weight);
  };
}

// The second factor is stored by columns, as on CUDA, where it has to be: that is the transpose of a weight. The type of the
// result is FP8, too, unless it is given.
Timed fp8_product(const Args& args) {
  const Fp8Layer layer(args);
  const ScaledNumbers weight(layer.weight);
  const Tensor x_scale = ScaledNumbers(layer.x).scale;  // known beforehand, as after calibration
  return [=](Recorder& recorder) {
    recorder.put("weight_bytes", weight.bytes());
    const Tensor x = (layer.x / x_scale).to(torch::kFloat8_e4m3fn);
    return at::_scaled_mm(x, weight.numbers.t(), x_scale, weight.scale, /*bias=*/{}, /*scale_result=*/{},
                          torch::kFloat);
  };
}

// Only what is stored has 8 bits: the weights become FP32 again in each call.
Timed fp8_storage(const Args& args) {
  const Fp8Layer layer(args);
  const ScaledNumbers weight(layer.weight);
  return [=](Recorder& recorder) {
    recorder.put("weight_bytes", weight.bytes());
    return torch::linear(layer.x, weight.numbers.to(torch::kFloat).mul_(weight.scale));
  };
}

// 3 bits of mantissa: up to 6 % a rounding, 2.6 % in the mean square; two factors are rounded, or one.
constexpr double fp8_product_error = 0.06;
constexpr double fp8_storage_error = 0.04;

// No claim about times: without AMX LibTorch converts both factors to FP32 in each call.
TORCHGATE_GROUP("fp8") {
  const Axis rows = group.axis("rows", {16, 128});
  group.items(rows).quick(rows(16)).only_full(rows(128)).measures(bytes("weight_bytes")).gates("weight_bytes");

  group.reference("fp32", fp32_layer);
  group.variant("product", fp8_product)
      .within(fp8_product_error)
      .needs("operator:aten::_scaled_mm")
      .proves(calls("aten::_scaled_mm") == 1)
      .proves(calls("aten::_scaled_mm").on("Float8_e4m3fn") == 1)
      .claims(metric("weight_bytes") <= 0.26 * reference());
  group.variant("storage", fp8_storage)
      .within(fp8_storage_error)
      .proves(calls("aten::_scaled_mm") == 0)
      .claims(metric("weight_bytes") <= 0.26 * reference())
      .claims(metric("output_error") <= 0.85 * variant_named("product"));  // the activations are not rounded
}

}  // namespace
}  // namespace torchgate::suites::fp8
