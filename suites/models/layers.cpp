// SPDX-License-Identifier: Apache-2.0
#include "suites/models/layers.hpp"

#include <torch/torch.h>

#include <cmath>

#include "suites/models/int8.hpp"

namespace torchgate::suites {

using torch::Tensor;

LinearLayer::LinearLayer(std::int64_t inputs, std::int64_t outputs) {
  constexpr double bias_deviation = 0.1;
  weight = torch::randn({outputs, inputs}) / std::sqrt(static_cast<double>(inputs));
  bias = torch::randn({outputs}) * bias_deviation;
}

Tensor LinearLayer::operator()(const Tensor& x) const {
  return packed.isNone() ? at::linear(x, weight, bias) : linear_dynamic(x, packed);
}

void LinearLayer::to(torch::Dtype dtype) {
  weight = weight.to(dtype);
  bias = bias.to(dtype);
}

void LinearLayer::to_int8() {
  packed = pack_linear(weight, bias);
}

LayerNorm::LayerNorm(std::int64_t width, double epsilon_) : epsilon(epsilon_) {
  constexpr double deviation = 0.1;
  scale = 1 + torch::randn({width}) * deviation;
  shift = torch::randn({width}) * deviation;
}

Tensor LayerNorm::operator()(const Tensor& x) const {
  return at::layer_norm(x, {scale.size(0)}, scale, shift, epsilon);
}

void LayerNorm::to(torch::Dtype dtype) {
  scale = scale.to(dtype);
  shift = shift.to(dtype);
}

Tensor split_heads(const Tensor& x, std::int64_t heads) {
  return x.view({x.size(0), x.size(1), heads, x.size(2) / heads}).transpose(1, 2);
}

Tensor join_heads(const Tensor& x) {
  return x.transpose(1, 2).reshape({x.size(0), x.size(2), x.size(1) * x.size(3)});
}

}  // namespace torchgate::suites
