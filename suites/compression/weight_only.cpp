// SPDX-License-Identifier: Apache-2.0
// Fewer bits for the weights of one layer. With few rows a layer reads its weights and does little else, so that it is as
// fast as they are small: weights of 8 and 4 bits, activations in BF16. With many rows the arithmetic counts: 8 bits for both.
// The CUDA half is weight_only_cuda.
#include <ATen/Version.h>
#include <ATen/ops/_convert_weight_to_int4pack_for_cpu.h>
#include <ATen/ops/_int_mm.h>
#include <ATen/ops/_weight_int4pack_mm_for_cpu.h>
#include <ATen/ops/_weight_int8pack_mm.h>

#include <optional>
#include <string>

#include "harness/bench/run/cpu_feature.hpp"
#include "harness/bench/torch/suite.hpp"
#include "suites/common/int8.hpp"
#include "suites/common/operator.hpp"
#include "suites/common/requirements.hpp"
#include "suites/compression/weight_only_layer.hpp"

namespace torchgate::suites::weight_only {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;

Timed fp32(const Args& args) {
  const WeightOnlyLayer layer(args);
  return [x = layer.x.to(torch::kFloat), weight = layer.weight](Recorder& recorder) {
    record_parameter_bytes(recorder, {weight});
    return torch::linear(x, weight);
  };
}

Timed bf16(const Args& args) {
  const WeightOnlyLayer layer(args);
  return [x = layer.x, weight = layer.weight.to(torch::kBFloat16)](Recorder& recorder) {
    record_parameter_bytes(recorder, {weight});
    return torch::linear(x, weight);
  };
}

// --- weights only: they become BF16 again in registers -----------------------------------------------------------------

Timed int8(const Args& args) {
  const WeightOnlyLayer layer(args);
  const Tensor quantized = quantize_weight(layer.weight);
  return [x = layer.x, bytes = quantized.int_repr(),
          scales = quantized.q_per_channel_scales().to(torch::kBFloat16)](Recorder& recorder) {
    record_parameter_bytes(recorder, {bytes, scales});
    return at::_weight_int8pack_mm(x, bytes, scales);
  };
}

Timed int4(const Args& args) {
  constexpr std::int64_t inner_k_tiles = 8;  // a layout of the CUDA kernel; the CPU's has none
  const WeightOnlyLayer layer(args);
  const FourBitWeights weights(layer.weight);
  return [x = layer.x, packed = at::_convert_weight_to_int4pack_for_cpu(weights.numbers, inner_k_tiles),
          scales_and_zeros = weights.scales_and_zeros](Recorder& recorder) {
    record_parameter_bytes(recorder, {packed, scales_and_zeros});
    return at::_weight_int4pack_mm_for_cpu(x, packed, FourBitWeights::group_size, scales_and_zeros);
  };
}

// --- weights and activations: integer products, with the activations' scale known beforehand ----------------------------

Timed int_mm(const Args& args) {
  const WeightOnlyLayer layer(args);
  const Tensor quantized = quantize_weight(layer.weight);
  const SignedBytes x(layer.x);
  // Rows of the weights are columns of the product.
  return [x = x.bytes, weight = quantized.int_repr().t(),
          scales = (quantized.q_per_channel_scales() * x.scale).to(torch::kFloat)](Recorder& recorder) {
    record_parameter_bytes(recorder, {weight, scales});
    return at::_int_mm(x, weight).mul(scales);
  };
}

Timed onednn_qlinear(const Args& args) {
  const WeightOnlyLayer layer(args);
  const Tensor quantized = quantize_weight(layer.weight);
  const Quantization input = bytes_for(layer.x.min().item<double>(), layer.x.max().item<double>());
  const Tensor x = quantize(layer.x.to(torch::kFloat), input).int_repr();
  const c10::IValue no_shape;
  const Tensor packed = Operator("onednn::qlinear_prepack")({quantized.int_repr(), no_shape}).toTensor();
  const Tensor scales = quantized.q_per_channel_scales().to(torch::kFloat);
  const Tensor zero_points = torch::zeros({WeightOnlyLayer::width}, torch::kInt);
  const c10::IValue no_bias;
  const c10::List<std::optional<at::Scalar>> no_arguments;
  constexpr double output_scale = 1;  // of an output in BF16: none
  constexpr std::int64_t output_zero_point = 0;
  return [=, qlinear = Operator("onednn::qlinear_pointwise")](Recorder& recorder) {
    record_parameter_bytes(recorder, {packed, scales});
    return qlinear({x, input.scale, input.zero_point, packed, scales, zero_points, no_bias, output_scale,
                    output_zero_point, static_cast<std::int64_t>(torch::kBFloat16), "none", no_arguments, ""})
        .toTensor();
  };
}

// --- the group ----------------------------------------------------------------------------------------------------------

constexpr const char* bf16_instructions = "avx512_bf16";

// ATEN_CPU_CAPABILITY can limit LibTorch to less than the CPU has. With AVX2 int4 is slower than BF16, and oneDNN's integer
// layers have no kernel but their reference implementation.
std::optional<std::string> avx512_kernels() {
  if (at::get_cpu_capability() == "AVX512") return std::nullopt;
  return "LibTorch uses its kernels for " + at::get_cpu_capability();
}

// LibTorch 2.15 multiplies one row in BF16 in a third of the time (75 us where 2.11 takes 208): fewer bits gain nothing there.
std::optional<std::string> slow_bf16_row() {
  if (auto why = missing_cpu_feature(bf16_instructions)) return why;
  return libtorch_before_2_15();
}

constexpr double bf16_error = 1e-2;
constexpr double int8_error = 2e-2;
constexpr double int4_error = 1.2e-1;

// Fewer bits are compared with FP32, and with BF16 only where the CPU has instructions for it: without them a row takes 1.7 times as long in BF16 as in FP32
// (measured with AVX2 on an AMD EPYC of the third generation), so that 8 bits, which gain nothing over FP32 there,
// would have a claim that holds.
TORCHGATE_GROUP("weight_only") {
  const Axis rows = group.axis("rows", {1, 16, 64});
  group.quick(rows(1)).only_full(rows(16)).items(rows).measures(bytes("parameter_bytes"));
  const OnlyWith before_2_15{"BF16 instructions and LibTorch before 2.15", slow_bf16_row};
  const OnlyWith bf16_cpu{bf16_instructions};

  group.reference("fp32", fp32);
  group.variant("bf16", bf16)
      .within(bf16_error)
      .needs(bf16_instructions)
      .proves(calls("aten::linear").on("BFloat16") == 1)
      .claims(metric("parameter_bytes") <= 0.51 * reference());
  group.variant("int8", int8)
      .within(int8_error)
      .only_full(rows(64))
      .proves(calls("aten::_weight_int8pack_mm") == 1)
      .claims(time() <= 0.7 * variant_named("bf16"), rows(1), before_2_15)
      .claims(metric("parameter_bytes") <= 0.26 * reference());
  group.variant("int4", int4)
      .within(int4_error)
      .quick(none)
      .only_full(rows(64))
      .needs("kernels for AVX-512", avx512_kernels)
      .proves(calls("aten::_weight_int4pack_mm_for_cpu") == 1)
      .claims(time() <= 0.65 * variant_named("bf16"), rows(1), before_2_15)
      .claims(metric("parameter_bytes") <= 0.16 * reference());
  group.variant("int_mm", int_mm)
      .within(int8_error)
      .only(rows(64))
      .needs("avx512_vnni")
      .needs("kernels for AVX-512", avx512_kernels)
      .proves(calls("aten::_int_mm") == 1)
      .claims(time() <= 0.5 * reference())
      .claims(time() <= 0.8 * variant_named("bf16"), {}, bf16_cpu)
      .claims(metric("parameter_bytes") <= 0.26 * reference());
  group.variant("onednn_qlinear", onednn_qlinear)
      .within(int8_error)
      .only(rows(64))
      .needs("avx512_vnni")
      .needs("kernels for AVX-512", avx512_kernels)
      .proves(calls("onednn::qlinear_pointwise") == 1)
      .claims(time() <= 0.5 * reference())
      .claims(time() <= 0.7 * variant_named("bf16"), {}, bf16_cpu)
      .claims(metric("parameter_bytes") <= 0.26 * reference());
}

}  // namespace
}  // namespace torchgate::suites::weight_only
