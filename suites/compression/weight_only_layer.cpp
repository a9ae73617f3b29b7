// SPDX-License-Identifier: Apache-2.0
#include "suites/compression/weight_only_layer.hpp"

#include <torch/torch.h>

#include <cstddef>

#include "suites/common/inputs.hpp"

namespace torchgate::suites {
namespace {

using torch::Tensor;

constexpr double weight_size = 0.05;  // of a trained layer of this width
constexpr double largest_byte = 127;

}  // namespace

WeightOnlyLayer::WeightOnlyLayer(const bench::Args& args) {
  Inputs inputs(args);
  weight = inputs.normal({width, width}) * weight_size;
  x = inputs.normal({args.number("rows"), width}).to(torch::kBFloat16);
}

FourBitWeights::FourBitWeights(const Tensor& weight) {
  constexpr std::int64_t least = -8;
  constexpr std::int64_t most = 7;
  const std::int64_t outputs = weight.size(0);
  const std::int64_t inputs = weight.size(1);
  const Tensor groups = weight.view({outputs, inputs / group_size, group_size});
  const Tensor scales = groups.abs().amax(2, /*keepdim=*/true) / most;
  numbers = ((groups / scales).round().clamp(least, most) - least).view({outputs, inputs}).to(torch::kInt);
  const Tensor by_group = scales.squeeze(2).t().contiguous();
  scales_and_zeros = torch::stack({by_group, torch::zeros_like(by_group)}, 2).to(torch::kBFloat16);
}

SignedBytes::SignedBytes(const Tensor& x)
    : scale(x.abs().max().item<double>() / largest_byte),
      bytes((x.to(torch::kFloat) / scale).round().to(torch::kChar)) {}

void record_parameter_bytes(bench::Recorder& recorder, std::initializer_list<Tensor> kept) {
  std::size_t bytes = 0;
  for (const Tensor& tensor : kept) bytes += tensor.nbytes();
  recorder.put("parameter_bytes", static_cast<double>(bytes));
}

}  // namespace torchgate::suites
