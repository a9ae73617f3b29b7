// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "ci/advise/operator_inputs.hpp"
#include "ci/advise/practices.hpp"

namespace torchgate::advise {
namespace {

/// A bias that is added in less than this part of a call costs a tensor, and no time that one sees.
constexpr double bias_matters = 0.05;
/// Three operators in a row that could be one, with a third of a call.
constexpr double chain_calls = 3;
constexpr double chain_matters = 0.30;
/// Of the time of products and softmax (fusion/sdp: 0.4 of it is left).
constexpr double fused_attention_saves = 0.6;
/// Fewer tensors are updated as fast one by one.
constexpr double updated_tensors = 4;
constexpr double update_matters = 0.10;
/// Of the time of an update tensor by tensor (training/update: a quarter is left).
constexpr double fused_update_saves = 0.75;

// An add of a vector to each row of a matrix, which addmm() does while it writes its result.
bool adds_bias(const record::OperatorUse& use) {
  if (use.name != "aten::add" && use.name != "aten::add_") return false;
  const auto inputs = inputs_of(use);
  if (inputs.size() < 2 || !inputs[0].sizes || !inputs[1].sizes) return false;
  const Sizes& matrix = *inputs[0].sizes;
  const Sizes& bias = *inputs[1].sizes;
  return matrix.size() >= 2 && bias.size() == 1 && bias.front() == matrix.back();
}

std::optional<CaseAnswer> bias_in_product(const CaseFacts& facts, const RunFacts&) {
  const double plain = facts.calls("aten::mm");
  const double fused = facts.calls("aten::addmm");
  if (plain + fused == 0 || !(facts.profile->call_ns > 0)) return std::nullopt;
  double added = 0;
  double self_ns = 0;
  for (const record::OperatorUse& use : facts.profile->operators) {
    if (!adds_bias(use)) continue;
    added += use.calls;
    self_ns += use.self_ns;
  }
  const double share = self_ns / facts.profile->call_ns;
  const bool separate = plain >= 1 && added >= plain && share >= bias_matters && !facts.is_training();
  return CaseAnswer{!separate, fmt::format("{:.0f} aten::mm and {:.0f} additions of a bias in a call", plain, added),
                    plain, share};
}

std::optional<CaseAnswer> batch_norm_folded(const CaseFacts& facts, const RunFacts&) {
  const double convolutions = facts.calls_of(
      {"aten::convolution", "aten::mkldnn_convolution", "aten::_convolution", "aten::cudnn_convolution"});
  if (convolutions == 0 || facts.is_training()) return std::nullopt;
  // The outer operator calls the inner one; a graph runtime calls the inner one alone.
  const std::vector<std::string_view> names{"aten::batch_norm", "aten::native_batch_norm",
                                            "aten::_native_batch_norm_legit_no_training", "aten::cudnn_batch_norm"};
  double norms = 0;
  for (const std::string_view name : names) norms = std::max(norms, facts.calls(name));
  return CaseAnswer{norms == 0, fmt::format("{:.0f} calls of batch norm after convolutions in inference", norms), norms,
                    facts.share(names)};
}

std::optional<CaseAnswer> chains_fused(const CaseFacts& facts, const RunFacts&) {
  if (facts.profile == nullptr) return std::nullopt;
  const std::vector<std::string_view> pointwise{
      "aten::add",     "aten::sub",    "aten::mul",       "aten::div",        "aten::relu",
      "aten::sigmoid", "aten::tanh",   "aten::gelu",      "aten::silu",       "aten::exp",
      "aten::erf",     "aten::pow",    "aten::sqrt",      "aten::clamp",      "aten::add_",
      "aten::sub_",    "aten::mul_",   "aten::div_",      "aten::relu_",      "aten::sigmoid_",
      "aten::tanh_",   "aten::clamp_", "aten::clamp_min", "aten::clamp_min_", "aten::rsqrt"};
  const double calls = facts.calls_of(pointwise);
  if (calls == 0) return std::nullopt;
  const double share = facts.share(pointwise);
  return CaseAnswer{calls < chain_calls || share < chain_matters,
                    fmt::format("{:.0f} pointwise operators take {:.0f} % of a call", calls, share * 100), share,
                    share * (1 - 1 / calls)};
}

std::optional<CaseAnswer> attention_fused(const CaseFacts& facts, const RunFacts&) {
  const double fused =
      facts.calls_of({"aten::_scaled_dot_product_flash_attention_for_cpu", "aten::_scaled_dot_product_flash_attention",
                      "aten::_scaled_dot_product_efficient_attention", "aten::_scaled_dot_product_cudnn_attention"});
  const double products = facts.calls("aten::bmm");
  const double softmax = facts.calls("aten::_softmax");
  const bool separate = products >= 2 && softmax >= 1;
  if (fused == 0 && !separate) return std::nullopt;
  return CaseAnswer{!separate, fmt::format("{:.0f} aten::bmm with {:.0f} softmax between them", products, softmax),
                    products, facts.share({"aten::bmm", "aten::_softmax"}) * fused_attention_saves};
}

// What an optimizer calls on one parameter after the other: operators on tensors of the sizes that addcdiv_() updates.
double update_ns(const record::OperatorProfile& profile) {
  std::set<Sizes> parameters;
  for (const record::OperatorUse& use : profile.operators) {
    if (use.name != "aten::addcdiv_") continue;
    const auto inputs = inputs_of(use);
    if (!inputs.empty() && inputs.front().sizes) parameters.insert(*inputs.front().sizes);
  }
  double self_ns = 0;
  for (const record::OperatorUse& use : profile.operators) {
    for (const std::string_view name :
         {"aten::addcdiv_", "aten::addcmul_", "aten::add_", "aten::mul_", "aten::mul", "aten::div", "aten::sqrt"}) {
      if (use.name != name) continue;
      const auto inputs = inputs_of(use);
      if (!inputs.empty() && inputs.front().sizes && parameters.count(*inputs.front().sizes) > 0)
        self_ns += use.self_ns;
    }
  }
  return self_ns;
}

std::optional<CaseAnswer> update_fused(const CaseFacts& facts, const RunFacts&) {
  if (facts.profile == nullptr || !(facts.profile->call_ns > 0)) return std::nullopt;
  const double fused =
      facts.calls_of({"aten::_fused_adam_", "aten::_fused_adamw_", "aten::_fused_sgd_", "aten::_fused_adagrad_"});
  const double updated = facts.calls("aten::addcdiv_");
  if (updated < updated_tensors) return fused > 0 ? std::optional(CaseAnswer{}) : std::nullopt;
  const double share = update_ns(*facts.profile) / facts.profile->call_ns;
  return CaseAnswer{share < update_matters,
                    fmt::format("{:.0f} tensors are updated one by one, {:.0f} % of a call", updated, share * 100),
                    share, share * fused_update_saves};
}

constexpr std::array fusion_rows{
    Practice{"bias_in_product", category::structure, "A product and its bias are one operator",
             "use torch::linear() with its bias, or torch::addmm()", "operators/replace", of_a_call,
             "no case calls mm() or addmm()", bias_in_product},
    Practice{
        "batch_norm_folded", category::structure, "Batch norm is folded into the convolution before it, in inference",
        "fold its scale and shift into weight and bias when the model is loaded, or torch::jit::freeze() the module",
        "fusion/conv_bn", of_a_call, "no case calls a convolution without a backward pass", batch_norm_folded},
    Practice{"chains_fused", category::structure, "Chains of pointwise operators are one kernel",
             "compile the model with AOTInductor (torch::inductor::AOTIModelPackageLoader loads it), or use fused "
             "operators such as gelu()",
             "compile/modes", of_a_call, "no case calls a pointwise operator", chains_fused},
    Practice{"attention_fused", category::structure, "Attention never stores its matrix of scores",
             "use torch::scaled_dot_product_attention()", "fusion/attention", of_a_call,
             "no case calls two bmm() with a softmax between them, or scaled_dot_product_attention()", attention_fused},
    Practice{"update_fused", category::structure, "An optimizer updates all parameters in one call",
             "call at::_fused_adam_() or at::_fused_adamw_() on the lists of parameters, gradients and moments",
             "training/update", of_a_call, "no case updates four tensors or more as Adam does", update_fused},
};

}  // namespace

std::span<const Practice> fusion_practices() {
  return fusion_rows;
}

}  // namespace torchgate::advise
