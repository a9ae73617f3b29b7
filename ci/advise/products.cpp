// SPDX-License-Identifier: Apache-2.0
#include "ci/advise/products.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace torchgate::advise {
namespace {

/// A product with weights, and which of its tensors has the rows.
struct WeightProduct {
  std::string_view name;
  std::size_t left;
};

constexpr std::array weight_products{
    WeightProduct{"aten::mm", 0},
    WeightProduct{"aten::addmm", 1},
    WeightProduct{"aten::_int_mm", 0},
    WeightProduct{"aten::_scaled_mm", 0},
    WeightProduct{"aten::_weight_int8pack_mm", 0},
    WeightProduct{"mkldnn::_linear_pointwise", 0},
    WeightProduct{"quantized::linear", 0},
    WeightProduct{"quantized::linear_relu", 0},
    WeightProduct{"quantized::linear_dynamic", 0},
};

constexpr std::array<std::string_view, 2> vector_products{"aten::mv", "aten::addmv"};

constexpr std::array<std::string_view, 10> other_products{
    "aten::bmm",
    "aten::baddbmm",
    "aten::mkldnn_convolution",
    "aten::cudnn_convolution",
    "aten::_slow_conv2d_forward",
    "aten::slow_conv3d_forward",
    "aten::convolution_backward",
    "mkldnn::_convolution_pointwise",
    "quantized::conv2d",
    "quantized::conv2d_relu",
};

const WeightProduct* weight_product(std::string_view name) {
  for (const WeightProduct& each : weight_products) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

template <std::size_t n>
bool has(const std::array<std::string_view, n>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

ProductUse products_of(const record::OperatorProfile& profile) {
  ProductUse sum;
  for (const record::OperatorUse& use : profile.operators) {
    if (weight_product(use.name) == nullptr && !has(vector_products, use.name) && !has(other_products, use.name))
      continue;
    sum.calls += use.calls;
    sum.self_ns += use.self_ns;
  }
  return sum;
}

std::optional<Operands> operands_of(const record::OperatorUse& use) {
  if (use.name != "aten::mm" && use.name != "aten::addmm") return std::nullopt;
  const std::size_t left = use.name == "aten::addmm" ? 1 : 0;
  auto inputs = inputs_of(use);
  if (inputs.size() < left + 2 || !inputs[left].sizes || !inputs[left + 1].sizes) return std::nullopt;
  return Operands{std::move(*inputs[left].sizes), std::move(*inputs[left + 1].sizes)};
}

std::optional<double> rows_of(const record::OperatorUse& use) {
  if (has(vector_products, use.name)) return 1;
  const WeightProduct* const product = weight_product(use.name);
  if (product == nullptr) return std::nullopt;
  const auto inputs = inputs_of(use);
  if (inputs.size() <= product->left) return std::nullopt;
  const OperatorInput& left = inputs[product->left];
  if (!left.sizes || left.sizes->empty() || left.sizes->back() == 0) return std::nullopt;
  return left.elements() / static_cast<double>(left.sizes->back());
}

}  // namespace torchgate::advise
