// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ci/advise/practices.hpp"
#include "ci/advise/products.hpp"

namespace torchgate::advise {
namespace {

/// Below this ratio of times another element type is a gain that one sees.
constexpr double faster_sibling = 0.8;
/// Weights of a product with fewer rows are read from memory for too little work: a row takes a third of its time in a batch of 8, and 0.2 in
/// one of 64 (batching/mlp).
constexpr double few_rows = 8;
constexpr double products_matter = 0.5;
/// An item in a larger call takes half of its time or less.
constexpr double cheaper_item = 0.5;

bool has_products(const CaseFacts& facts, std::string_view dtype) {
  if (facts.profile == nullptr) return false;
  return std::any_of(facts.profile->operators.begin(), facts.profile->operators.end(), [&](const auto& use) {
    const bool product = use.name == "aten::addmm" || use.name == "aten::mm" || use.name == "aten::bmm" ||
                         use.name == "aten::convolution" || use.name == "aten::mkldnn_convolution" ||
                         use.name == "aten::_convolution" || use.name == "aten::linear";
    const auto inputs = inputs_of(use);
    return product && !inputs.empty() && inputs.front().type == dtype;
  });
}

bool same_parameters(const CaseFacts& a, const CaseFacts& b) {
  return a.definition->group == b.definition->group && a.definition->parameters == b.definition->parameters;
}

// On a GPU the setting says it; on a CPU another variant of the group, measured on this machine, does.
std::optional<CaseAnswer> fast_element_types(const CaseFacts& facts, const RunFacts& run) {
  if (!has_products(facts, "Float")) return std::nullopt;
  if (facts.on_cuda()) {
    const auto setting = run.fact("cuda_float32_matmul");
    if (!setting) return std::nullopt;
    return CaseAnswer{*setting != "ieee", "FP32 products with TF32 off", 1};
  }
  const auto own = facts.value("time");
  if (!own || !(*own > 0)) return std::nullopt;
  std::optional<CaseAnswer> answer;
  for (const CaseFacts& other : run.cases) {
    if (!same_parameters(facts, other) || !has_products(other, "BFloat16")) continue;
    const auto time = other.value("time");
    if (!time) continue;
    const double ratio = *time / *own;
    if (!answer) answer.emplace();
    if (ratio < faster_sibling && 1 - ratio > answer->saves.value_or(0))  // the fastest of them
      answer = CaseAnswer{false,
                          fmt::format("the BF16 variant {} takes {:.2f} of its time", other.definition->variant, ratio),
                          1 / ratio, 1 - ratio};
  }
  return answer;
}

struct ItemTime {
  double items = 0;
  double each_ns = 0;
};

std::optional<ItemTime> item_time(const CaseFacts& facts) {
  const auto items = facts.definition->items_per_call;
  const auto time = facts.value("time");
  if (!items || !(*items > 0) || !time || !(*time > 0)) return std::nullopt;
  return ItemTime{*items, *time / *items};
}

// Cases of one variant on one device whose parameters differ in a single value.
bool differ_in_one(const record::Case& a, const record::Case& b) {
  if (a.group != b.group || a.variant != b.variant || a.device != b.device) return false;
  if (a.parameters.size() != b.parameters.size()) return false;
  int different = 0;
  for (std::size_t i = 0; i < a.parameters.size(); ++i) different += a.parameters[i] == b.parameters[i] ? 0 : 1;
  return different == 1;
}

// The cheapest item among the larger calls of the same work.
std::optional<ItemTime> larger_call(const CaseFacts& facts, double own_items, const RunFacts& run) {
  std::optional<ItemTime> best;
  for (const CaseFacts& other : run.cases) {
    if (!differ_in_one(*facts.definition, *other.definition)) continue;
    const auto item = item_time(other);
    if (item && item->items > own_items && (!best || item->each_ns < best->each_ns)) best = item;
  }
  return best;
}

// On a CPU, where self times are those of the work.
std::optional<CaseAnswer> by_rows(const CaseFacts& facts) {
  if (facts.on_cuda() || facts.profile == nullptr || !(facts.profile->call_ns > 0)) return std::nullopt;
  bool any = false;
  double few_ns = 0;
  double saved_ns = 0;
  for (const record::OperatorUse& use : facts.profile->operators) {
    const auto rows = rows_of(use);
    if (!rows) continue;
    any = true;
    if (*rows >= few_rows) continue;
    few_ns += use.self_ns;
    saved_ns += use.self_ns * (1 - *rows / few_rows);
  }
  if (!any) return std::nullopt;
  const double share = few_ns / facts.profile->call_ns;
  return CaseAnswer{share < products_matter,
                    fmt::format("products of fewer than {:.0f} rows take {:.0f} % of a call", few_rows, share * 100),
                    share, saved_ns / facts.profile->call_ns};
}

std::optional<CaseAnswer> batch_large_enough(const CaseFacts& facts, const RunFacts& run) {
  const auto rows = by_rows(facts);
  const auto own = item_time(facts);
  const auto larger = own ? larger_call(facts, own->items, run) : std::nullopt;
  if (!larger) return rows;
  const double ratio = larger->each_ns / own->each_ns;
  if (ratio > cheaper_item) return rows ? rows : CaseAnswer{};
  return CaseAnswer{false,
                    fmt::format("an item takes {:.2f} of its time in calls of {:.0f} items", ratio, larger->items),
                    1 - ratio, 1 - ratio};
}

constexpr std::array product_rows{
    Practice{"fast_element_types", category::computation,
             "Products use the element types that this machine multiplies fast",
             "to(torch::kBFloat16) or at::autocast; on a GPU at least "
             "at::globalContext().setFloat32MatmulPrecision(\"high\"); check the error",
             "precision/linear", of_a_call,
             "no FP32 product has a BF16 variant beside it: add one to the group, as precision/linear does",
             fast_element_types},
    Practice{"batch_large_enough", category::computation, "A call has enough rows for the weights that it reads",
             "call the model with several items at once, torch::cat() of several requests; latency grows, which "
             "serving/batching measures",
             "batching/mlp", "the time of an item",
             "no case calls a product with weights, and no variant has calls of several sizes: add an axis and "
             "group.items() of it",
             batch_large_enough},
};

}  // namespace

std::span<const Practice> product_practices() {
  return product_rows;
}

}  // namespace torchgate::advise
