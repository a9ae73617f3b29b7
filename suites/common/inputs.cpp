// SPDX-License-Identifier: Apache-2.0
#include "suites/common/inputs.hpp"

#include <algorithm>

#include "harness/bench/torch/suite.hpp"

namespace torchgate::suites {
namespace {

constexpr std::int64_t image_dimensions = 4;

torch::MemoryFormat layout_of(const bench::Args& args) {
  const bool is_nhwc = std::any_of(args.values().begin(), args.values().end(), [](const auto& value) {
    return value.first == "layout" && bench::to_string(value.second) == "nhwc";
  });
  return is_nhwc ? torch::MemoryFormat::ChannelsLast : torch::MemoryFormat::Contiguous;
}

}  // namespace

Inputs::Inputs(const bench::Args& args)
    : generator_(at::detail::createCPUGenerator(args.seed())),
      device_(bench::device_of(args)),
      images_(layout_of(args)) {}

torch::Tensor Inputs::normal(at::IntArrayRef shape) {
  torch::Tensor made = torch::randn(shape, generator_).to(device_);
  return made.dim() == image_dimensions ? made.contiguous(images_) : made;
}

torch::Tensor Inputs::bytes(at::IntArrayRef shape) {
  constexpr std::int64_t byte_values = 256;
  return torch::randint(byte_values, shape, generator_, torch::kByte);
}

}  // namespace torchgate::suites
