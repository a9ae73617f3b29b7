// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ci/advise/practices.hpp"
#include "ci/advise/products.hpp"

namespace torchgate::advise {
namespace {

/// So many equal products are a list of operands.
constexpr double many_products = 8;
constexpr double products_worth_stacking = 0.10;
/// A product that takes less than 10 us has hardly more work than the operators around it ...
constexpr double small_product_ns = 10'000;
/// ... which are noticed from a fifth of a call on.
constexpr double calling_noticed = 0.20;
/// A fifth of a call: relu() and hardswish() take a twentieth of tanh(), and about a third of gelu(), silu() and sigmoid() (operators/choice).
constexpr double activations_matter = 0.20;
constexpr double draws_matter = 0.10;

// Calls of select() on a tensor whose parts have these sizes: 64 of 64x16x16 for 16x16.
double parts_taken(const record::OperatorProfile& profile, const Sizes& part) {
  double calls = 0;
  for (const record::OperatorUse& use : profile.operators) {
    if (use.name != "aten::select") continue;
    const auto inputs = inputs_of(use);
    if (inputs.empty() || !inputs.front().sizes) continue;
    const Sizes& whole = *inputs.front().sizes;
    if (whole.size() == part.size() + 1 && std::equal(part.begin(), part.end(), whole.begin() + 1)) calls += use.calls;
  }
  return calls;
}

std::string shown_sizes(const Sizes& sizes) {
  return fmt::format("{}", fmt::join(sizes, "x"));
}

std::optional<CaseAnswer> products_batched(const CaseFacts& facts, const RunFacts&) {
  if (facts.profile == nullptr || !(facts.profile->call_ns > 0)) return std::nullopt;
  bool any = false;
  double self_ns = 0;
  std::string text;
  for (const record::OperatorUse& use : facts.profile->operators) {
    const auto operands = operands_of(use);
    if (!operands || use.calls < many_products) continue;
    any = true;
    const double parts =
        std::max(parts_taken(*facts.profile, operands->left), parts_taken(*facts.profile, operands->right));
    if (parts < use.calls) continue;
    self_ns += use.self_ns;
    if (text.empty())
      text = fmt::format("{:.0f} products of {} and {} whose operands are parts of one tensor", use.calls,
                         shown_sizes(operands->left), shown_sizes(operands->right));
  }
  if (!any) return std::nullopt;
  const double share = self_ns / facts.profile->call_ns;
  return CaseAnswer{share < products_worth_stacking, text, share, share};
}

// "tanh" of "aten::tanh", "aten::tanh_" and "aten::tanh_backward".
std::string_view function_of(std::string_view name) {
  constexpr std::string_view prefix = "aten::";
  constexpr std::string_view backward = "_backward";
  if (!name.starts_with(prefix)) return {};
  name.remove_prefix(prefix.size());
  if (name.ends_with(backward)) {
    name.remove_suffix(backward.size());
  } else if (name.ends_with('_')) {
    name.remove_suffix(1);
  }
  return name;
}

std::optional<CaseAnswer> activations_cheap(const CaseFacts& facts, const RunFacts&) {
  // On a GPU the time of each is that of reading and writing memory.
  if (facts.on_cuda() || facts.profile == nullptr || !(facts.profile->call_ns > 0)) return std::nullopt;
  constexpr std::array<std::string_view, 8> expensive{"tanh", "sigmoid",  "gelu", "silu",
                                                      "mish", "softplus", "elu",  "erf"};
  constexpr std::array<std::string_view, 6> cheap{"relu",     "clamp_min", "threshold",
                                                  "hardtanh", "hardswish", "leaky_relu"};
  bool any = false;
  double self_ns = 0;
  std::string_view largest;
  for (const record::OperatorUse& use : facts.profile->operators) {
    const std::string_view function = function_of(use.name);
    any = any || std::find(cheap.begin(), cheap.end(), function) != cheap.end();
    if (std::find(expensive.begin(), expensive.end(), function) == expensive.end()) continue;
    any = true;
    self_ns += use.self_ns;
    if (largest.empty()) largest = function;  // a profile has the largest self time first
  }
  if (!any) return std::nullopt;
  const double share = self_ns / facts.profile->call_ns;
  return CaseAnswer{share < activations_matter,
                    fmt::format("activations take {:.0f} % of a call, {} the most", share * 100, largest), share,
                    share};
}

std::optional<CaseAnswer> layers_wide(const CaseFacts& facts, const RunFacts&) {
  const auto calling = facts.calling_share();
  if (!calling || facts.profile == nullptr) return std::nullopt;
  const ProductUse products = products_of(*facts.profile);
  if (products.calls < many_products) return std::nullopt;
  const double each_ns = products.self_ns / products.calls;
  return CaseAnswer{each_ns >= small_product_ns || *calling < calling_noticed,
                    fmt::format("{:.0f} products of {:.1f} us each; calling operators takes {:.0f} % of a call",
                                products.calls, each_ns / 1e3, *calling * 100),
                    *calling, *calling};
}

std::optional<CaseAnswer> initialised_once(const CaseFacts& facts, const RunFacts&) {
  const std::vector<std::string_view> draws{"aten::normal_", "aten::uniform_"};
  if (facts.calls_of(draws) == 0) return std::nullopt;
  const double share = facts.share(draws);
  return CaseAnswer{share < draws_matter, fmt::format("drawing random values takes {:.0f} % of a call", share * 100),
                    share, share};
}

constexpr std::array structure_rows{
    Practice{"products_batched", category::structure, "Equal products of parts of a tensor are one call",
             "call torch::bmm() on the whole tensors, or at::_grouped_mm() where the parts differ in size",
             "operators/replace", of_a_call, "no case calls mm() or addmm() eight times on equal sizes",
             products_batched},
    Practice{"activations_cheap", category::structure, "Activations take little beside the products",
             "use torch::relu_() or torch::hardswish_(), train again, and compare the accuracy", "operators/choice",
             of_a_call, "no case on a CPU calls an activation", activations_cheap},
    Practice{"layers_wide", category::structure, "Layers are wide enough for what calling them costs",
             "fewer and wider layers with as many weights, train again, and compare the accuracy", "operators/choice",
             of_a_call, "no case on a CPU calls eight products or more", layers_wide},
    Practice{
        "initialised_once", category::structure, "Weights are drawn once, outside of the call",
        "construct modules and draw random values when the case is built", "operators/choice", of_a_call,
        "no case draws random values in a call; which initialisation trains better is not in a profile: put the loss "
        "after some steps into an exact own metric of variants that differ in it, as training/initialisation does",
        initialised_once},
};

}  // namespace

std::span<const Practice> structure_practices() {
  return structure_rows;
}

}  // namespace torchgate::advise
