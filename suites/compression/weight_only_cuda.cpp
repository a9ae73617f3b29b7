// SPDX-License-Identifier: Apache-2.0
// The CUDA half of weight_only: the same layer and the same numbers, with the kernels that LibTorch has for GPUs. They take other layouts: weights of four
// bits are packed for tensor cores, and integer products need more than 16 rows. A group of its own, so that the cases of the CPU keep their names.
#include <ATen/detail/CUDAHooksInterface.h>
#include <ATen/ops/_convert_weight_to_int4pack.h>
#include <ATen/ops/_int_mm.h>
#include <ATen/ops/_weight_int4pack_mm.h>
#include <ATen/ops/_weight_int8pack_mm.h>

#include <optional>
#include <string>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/int8.hpp"
#include "suites/compression/weight_only_layer.hpp"

namespace torchgate::suites::weight_only_cuda {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;

/// Weights as signed bytes, quantized on the host.
struct ByteWeights {
  Tensor bytes;
  Tensor scales;  ///< FP32, one for each output

  explicit ByteWeights(const Tensor& weight) {
    const Tensor quantized = quantize_weight(weight.cpu());
    bytes = quantized.int_repr().to(weight.device());
    scales = quantized.q_per_channel_scales().to(weight.device(), torch::kFloat);
  }
};

Timed bf16_on_cuda(const Args& args) {
  const WeightOnlyLayer layer(args);
  return [x = layer.x, weight = layer.weight.to(torch::kBFloat16)](Recorder& recorder) {
    record_parameter_bytes(recorder, {weight});
    return torch::linear(x, weight);
  };
}

Timed int8_on_cuda(const Args& args) {
  const WeightOnlyLayer layer(args);
  return [x = layer.x, weights = ByteWeights(layer.weight)](Recorder& recorder) {
    record_parameter_bytes(recorder, {weights.bytes, weights.scales});
    return at::_weight_int8pack_mm(x, weights.bytes, weights.scales);
  };
}

// Two numbers in a byte, the first of each pair in the upper half.
Tensor in_pairs(const Tensor& numbers) {
  constexpr std::int64_t sixteen = 16;
  const std::int64_t columns = numbers.size(1);
  const Tensor first = numbers.slice(/*dim=*/1, /*start=*/0, columns, /*step=*/2);
  const Tensor second = numbers.slice(/*dim=*/1, /*start=*/1, columns, /*step=*/2);
  return (first * sixteen + second).to(torch::kByte).contiguous();
}

Timed int4_on_cuda(const Args& args) {
  constexpr std::int64_t inner_k_tiles = 8;  // so many tiles of a row follow one another: the longest loads
  const WeightOnlyLayer layer(args);
  const FourBitWeights weights(layer.weight);
  return [x = layer.x, packed = at::_convert_weight_to_int4pack(in_pairs(weights.numbers), inner_k_tiles),
          scales_and_zeros = weights.scales_and_zeros](Recorder& recorder) {
    record_parameter_bytes(recorder, {packed, scales_and_zeros});
    return at::_weight_int4pack_mm(x, packed, FourBitWeights::group_size, scales_and_zeros);
  };
}

// The transposed weights are stored by columns, as the kernel of cuBLASLt takes them.
Timed int_mm_on_cuda(const Args& args) {
  const WeightOnlyLayer layer(args);
  const ByteWeights weights(layer.weight);
  const SignedBytes x(layer.x);
  return [x = x.bytes, weight = weights.bytes.t(), scales = weights.scales * x.scale](Recorder& recorder) {
    record_parameter_bytes(recorder, {weight, scales});
    return at::_int_mm(x, weight).mul(scales);
  };
}

// The kernel for four bits needs compute capability 8.0, and so do convolutions in BF16: of these LibTorch answers without headers of CUDA.
std::optional<std::string> tensor_cores_for_bf16() {
  if (at::detail::getCUDAHooks().supportsBFloat16ConvolutionWithCuDNNv8()) return std::nullopt;
  return "this device has no tensor cores for BF16 (compute capability 8.0)";
}

constexpr double int8_error_on_cuda = 2e-2;
constexpr double int4_error_on_cuda = 1.2e-1;

TORCHGATE_GROUP("weight_only_cuda") {
  const Axis rows = group.axis("rows", {1, 64});
  group.axis("device", {"cuda"});
  group.items(rows).measures(bytes("parameter_bytes"));

  group.reference("bf16", bf16_on_cuda);
  group.variant("int8", int8_on_cuda)
      .within(int8_error_on_cuda)
      .proves(calls("aten::_weight_int8pack_mm") == 1)
      .claims(metric("parameter_bytes") <= 0.52 * reference());
  group.variant("int4", int4_on_cuda)
      .within(int4_error_on_cuda)
      .needs("tensor cores for BF16", tensor_cores_for_bf16)
      .proves(calls("aten::_weight_int4pack_mm") == 1)
      .claims(metric("parameter_bytes") <= 0.32 * reference());
  group.variant("int_mm", int_mm_on_cuda)
      .within(int8_error_on_cuda)
      .only(rows(64))
      .proves(calls("aten::_int_mm") == 1)
      .claims(metric("parameter_bytes") <= 0.52 * reference());
}

}  // namespace
}  // namespace torchgate::suites::weight_only_cuda
