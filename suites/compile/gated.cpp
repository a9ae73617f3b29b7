// SPDX-License-Identifier: Apache-2.0
#include "suites/compile/gated.hpp"

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>
#include <torch/torch.h>

#include "suites/common/inputs.hpp"

namespace torchgate::suites::compile {

Gated::Gated(const std::string& path) {
  const torch::jit::Module module = torch::jit::load(path);
  const auto weight = [&](const char* layer, const char* name) {
    return module.attr(layer).toModule().attr(name).toTensor().detach();
  };
  up_weight_ = weight("up", "weight");
  up_bias_ = weight("up", "bias");
  down_weight_ = weight("down", "weight");
  down_bias_ = weight("down", "bias");
}

torch::Tensor Gated::operator()(const torch::Tensor& x) const {
  constexpr double epsilon = 1e-5;
  torch::Tensor h = torch::linear(x, up_weight_, up_bias_);
  h = torch::gelu(h) * torch::sigmoid(h) * 1.5 + torch::tanh(h) * 0.5;
  h = h - h.mean(-1, /*keepdim=*/true);
  h = h / ((h * h).mean(-1, /*keepdim=*/true) + epsilon).sqrt();
  return torch::softmax(torch::linear(h, down_weight_, down_bias_), -1);
}

torch::Tensor rows(const bench::Args& args, std::int64_t batch) {
  return Inputs(args).normal({batch, features});
}

}  // namespace torchgate::suites::compile
