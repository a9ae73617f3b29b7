// SPDX-License-Identifier: Apache-2.0
// Fewer bits for the weights of one layer. With few rows a layer reads its weights and does little else, so that it is as
// fast as they are small: weights of 8 and 4 bits, activations in BF16. With many rows the arithmetic counts: 8 bits for both.
#include <ATen/Version.h>
#include <ATen/ops/_convert_weight_to_int4pack_for_cpu.h>
#include <ATen/ops/_int_mm.h>
#include <ATen/ops/_weight_int4pack_mm_for_cpu.h>
#include <ATen/ops/_weight_int8pack_mm.h>

#include <optional>
#include <string>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/int8.hpp"
#include "suites/common/operator.hpp"
#include "suites/common/requirements.hpp"

namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;

constexpr std::int64_t width = 1536;
constexpr double weight_size = 0.05;  // of a trained layer of this width

struct WeightOnlyLayer {
  Tensor weight;  ///< FP32
  Tensor x;       ///< BF16

  explicit WeightOnlyLayer(const Args& args) {
    Inputs inputs(args);
    weight = inputs.normal({width, width}) * weight_size;
    x = inputs.normal({args.number("rows"), width}).to(torch::kBFloat16);
  }
};

// What a variant keeps of the weights, scales included.
void record_bytes(Recorder& recorder, std::initializer_list<Tensor> kept) {
  std::size_t bytes = 0;
  for (const Tensor& tensor : kept) bytes += tensor.nbytes();
  recorder.put("parameter_bytes", static_cast<double>(bytes));
}

Timed bf16(const Args& args) {
  const WeightOnlyLayer layer(args);
  return [x = layer.x, weight = layer.weight.to(torch::kBFloat16)](Recorder& recorder) {
    record_bytes(recorder, {weight});
    return torch::linear(x, weight);
  };
}

// --- weights only: they become BF16 again in registers -----------------------------------------------------------------

Timed int8(const Args& args) {
  const WeightOnlyLayer layer(args);
  const Tensor quantized = quantize_weight(layer.weight);
  return [x = layer.x, bytes = quantized.int_repr(),
          scales = quantized.q_per_channel_scales().to(torch::kBFloat16)](Recorder& recorder) {
    record_bytes(recorder, {bytes, scales});
    return at::_weight_int8pack_mm(x, bytes, scales);
  };
}

// Four bits stand for -8 to 7; each group of 32 neighbours in a row has a scale of its own.
Timed int4(const Args& args) {
  constexpr std::int64_t group = 32;
  constexpr std::int64_t least = -8;
  constexpr std::int64_t most = 7;
  const WeightOnlyLayer layer(args);
  const Tensor groups = layer.weight.view({width, width / group, group});
  const Tensor scales = groups.abs().amax(2, /*keepdim=*/true) / most;
  const Tensor numbers = (groups / scales).round().clamp(least, most) - least;
  constexpr std::int64_t inner_k_tiles = 8;  // a layout of the CUDA kernel; the CPU's has none
  const Tensor packed =
      at::_convert_weight_to_int4pack_for_cpu(numbers.view({width, width}).to(torch::kInt), inner_k_tiles);
  const Tensor by_group = scales.squeeze(2).t().contiguous();
  const Tensor scales_and_zeros = torch::stack({by_group, torch::zeros_like(by_group)}, 2).to(torch::kBFloat16);
  return [x = layer.x, packed, scales_and_zeros](Recorder& recorder) {
    record_bytes(recorder, {packed, scales_and_zeros});
    return at::_weight_int4pack_mm_for_cpu(x, packed, group, scales_and_zeros);
  };
}

// --- weights and activations: integer products, with the activations' scale known beforehand ----------------------------

double scale_of(const Tensor& x) {
  constexpr double largest_byte = 127;
  return x.abs().max().item<double>() / largest_byte;
}

Timed int_mm(const Args& args) {
  const WeightOnlyLayer layer(args);
  const Tensor quantized = quantize_weight(layer.weight);
  const double scale = scale_of(layer.x);
  const Tensor x = (layer.x.to(torch::kFloat) / scale).round().to(torch::kChar);
  // Rows of the weights are columns of the product.
  return [x, weight = quantized.int_repr().t(),
          scales = (quantized.q_per_channel_scales() * scale).to(torch::kFloat)](Recorder& recorder) {
    record_bytes(recorder, {weight, scales});
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
  const Tensor zero_points = torch::zeros({width}, torch::kInt);
  const c10::IValue no_bias;
  const c10::List<std::optional<at::Scalar>> no_arguments;
  constexpr double output_scale = 1;  // of an output in BF16: none
  constexpr std::int64_t output_zero_point = 0;
  return [=, qlinear = Operator("onednn::qlinear_pointwise")](Recorder& recorder) {
    record_bytes(recorder, {packed, scales});
    return qlinear({x, input.scale, input.zero_point, packed, scales, zero_points, no_bias, output_scale,
                    output_zero_point, static_cast<std::int64_t>(torch::kBFloat16), "none", no_arguments, ""})
        .toTensor();
  };
}

// ATEN_CPU_CAPABILITY can limit LibTorch to less than the CPU has. With AVX2 int4 is slower than BF16, and oneDNN's integer
// layers have no kernel but their reference implementation.
std::optional<std::string> avx512_kernels() {
  if (at::get_cpu_capability() == "AVX512") return std::nullopt;
  return "LibTorch uses its kernels for " + at::get_cpu_capability();
}

constexpr double int8_error = 2e-2;
constexpr double int4_error = 1.2e-1;

TORCHGATE_GROUP("weight_only") {
  const Axis rows = group.axis("rows", {1, 16, 64});
  group.quick(rows(1)).only_full(rows(16)).items(rows).measures(bytes("parameter_bytes"));

  // LibTorch 2.15 multiplies one row in BF16 in a third of the time (75 us where 2.11 takes 208): fewer bits gain nothing there.
  const OnlyWith before_2_15{"LibTorch before 2.15", libtorch_before_2_15};
  group.reference("bf16", bf16);
  group.variant("int8", int8)
      .within(int8_error)
      .only_full(rows(64))
      .proves(calls("aten::_weight_int8pack_mm") == 1)
      .claims(time() <= 0.7 * reference(), rows(1), before_2_15)
      .claims(metric("parameter_bytes") <= 0.51 * reference());
  group.variant("int4", int4)
      .within(int4_error)
      .quick(none)
      .only_full(rows(64))
      .needs("kernels for AVX-512", avx512_kernels)
      .proves(calls("aten::_weight_int4pack_mm_for_cpu") == 1)
      .claims(time() <= 0.65 * reference(), rows(1), before_2_15)
      .claims(metric("parameter_bytes") <= 0.32 * reference());
  group.variant("int_mm", int_mm)
      .within(int8_error)
      .only(rows(64))
      .needs("avx512_vnni")
      .needs("kernels for AVX-512", avx512_kernels)
      .proves(calls("aten::_int_mm") == 1)
      .claims(time() <= 0.8 * reference())
      .claims(metric("parameter_bytes") <= 0.51 * reference());
  group.variant("onednn_qlinear", onednn_qlinear)
      .within(int8_error)
      .only(rows(64))
      .needs("avx512_vnni")
      .needs("kernels for AVX-512", avx512_kernels)
      .proves(calls("onednn::qlinear_pointwise") == 1)
      .claims(time() <= 0.7 * reference())
      .claims(metric("parameter_bytes") <= 0.51 * reference());
}

}  // namespace
