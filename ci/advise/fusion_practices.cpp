// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ci/advise/practices.hpp"

namespace torchgate::advise {
namespace {

/// Three operators in a row that could be one, with a third of a call.
constexpr double chain_calls = 3;
constexpr double chain_matters = 0.30;

std::optional<CaseAnswer> bias_in_product(const CaseFacts& facts, const RunFacts&) {
  const double plain = facts.calls("aten::mm");
  const double fused = facts.calls("aten::addmm");
  if (plain + fused == 0) return std::nullopt;
  const double added = facts.calls("aten::add") + facts.calls("aten::add_");
  const bool separate = plain >= 1 && added >= plain && !facts.is_training();
  return CaseAnswer{!separate, fmt::format("{:.0f} aten::mm and {:.0f} aten::add in a call", plain, added), plain};
}

std::optional<CaseAnswer> batch_norm_folded(const CaseFacts& facts, const RunFacts&) {
  const double convolutions = facts.calls("aten::convolution") + facts.calls("aten::mkldnn_convolution") +
                              facts.calls("aten::_convolution") + facts.calls("aten::cudnn_convolution");
  if (convolutions == 0 || facts.is_training()) return std::nullopt;
  // The outer operator calls the inner one; a graph runtime calls the inner one alone.
  const double norms =
      std::max({facts.calls("aten::batch_norm"), facts.calls("aten::native_batch_norm"),
                facts.calls("aten::_native_batch_norm_legit_no_training"), facts.calls("aten::cudnn_batch_norm")});
  return CaseAnswer{norms == 0, fmt::format("{:.0f} calls of batch norm after convolutions in inference", norms),
                    norms};
}

std::optional<CaseAnswer> chains_fused(const CaseFacts& facts, const RunFacts&) {
  if (facts.profile == nullptr) return std::nullopt;
  const std::vector<std::string_view> pointwise{
      "aten::add",     "aten::sub",    "aten::mul",       "aten::div",        "aten::relu",
      "aten::sigmoid", "aten::tanh",   "aten::gelu",      "aten::silu",       "aten::exp",
      "aten::erf",     "aten::pow",    "aten::sqrt",      "aten::clamp",      "aten::add_",
      "aten::sub_",    "aten::mul_",   "aten::div_",      "aten::relu_",      "aten::sigmoid_",
      "aten::tanh_",   "aten::clamp_", "aten::clamp_min", "aten::clamp_min_", "aten::rsqrt"};
  double calls = 0;
  for (const std::string_view name : pointwise) calls += facts.calls(name);
  if (calls == 0) return std::nullopt;
  const double share = facts.share(pointwise);
  return CaseAnswer{calls < chain_calls || share < chain_matters,
                    fmt::format("{:.0f} pointwise operators take {:.0f} % of a call", calls, share * 100), share};
}

std::optional<CaseAnswer> attention_fused(const CaseFacts& facts, const RunFacts&) {
  const double fused = facts.calls("aten::_scaled_dot_product_flash_attention_for_cpu") +
                       facts.calls("aten::_scaled_dot_product_flash_attention") +
                       facts.calls("aten::_scaled_dot_product_efficient_attention") +
                       facts.calls("aten::_scaled_dot_product_cudnn_attention");
  const double products = facts.calls("aten::bmm");
  const double softmax = facts.calls("aten::_softmax");
  const bool separate = products >= 2 && softmax >= 1;
  if (fused == 0 && !separate) return std::nullopt;
  return CaseAnswer{!separate, fmt::format("{:.0f} aten::bmm with {:.0f} softmax between them", products, softmax),
                    products};
}

constexpr std::array fusion_rows{
    Practice{"bias_in_product", "fusion and compilation", "A product and its bias are one operator",
             "use linear() with a bias, or addmm()", "operators/replace", bias_in_product},
    Practice{"batch_norm_folded", "fusion and compilation",
             "Batch norm is folded into the convolution before it, in inference",
             "fold it when the model is loaded, or freeze the TorchScript module", "fusion/conv_bn", batch_norm_folded},
    Practice{"chains_fused", "fusion and compilation", "Chains of pointwise operators are one kernel",
             "compile the model with AOTInductor, or use fused operators such as gelu()", "compile/modes",
             chains_fused},
    Practice{"attention_fused", "fusion and compilation", "Attention never stores its matrix of scores",
             "use scaled_dot_product_attention()", "fusion/attention", attention_fused},
};

}  // namespace

std::span<const Practice> fusion_practices() {
  return fusion_rows;
}

}  // namespace torchgate::advise
