// SPDX-License-Identifier: Apache-2.0
// A mixture of experts: a router chooses one of eight feed-forward layers for each token. Tokens are sorted by expert, so that each layer
// multiplies its own tokens only.
#include <ATen/ops/_grouped_mm.h>

#include <cmath>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"

namespace torchgate::suites::experts {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Inputs;

constexpr std::int64_t experts = 8;
constexpr std::int64_t width = 128;
constexpr std::int64_t inner_width = 256;
constexpr std::int64_t products_per_expert = 2;

struct Routing {
  Tensor weight;  ///< of the chosen expert, for each token
  Tensor expert;  ///< its index
};

struct ExpertLayer {
  Tensor x;
  Tensor router;
  Tensor up;    ///< [expert, width, inner width]
  Tensor down;  ///< [expert, inner width, width]

  explicit ExpertLayer(const Args& args) {
    Inputs inputs(args);
    x = inputs.normal({args.number("tokens"), width});
    router = inputs.normal({width, experts}) / std::sqrt(static_cast<double>(width));
    up = inputs.normal({experts, width, inner_width}) / std::sqrt(static_cast<double>(width));
    down = inputs.normal({experts, inner_width, width}) / std::sqrt(static_cast<double>(inner_width));
  }

  [[nodiscard]] Routing route() const {
    const auto [weight, expert] = torch::softmax(torch::mm(x, router), /*dim=*/1).max(/*dim=*/1);
    return {weight, expert};
  }

  /// Adds the rows that the products of this expert got to ROWS.
  [[nodiscard]] Tensor apply(std::int64_t expert, const Tensor& tokens, std::int64_t& rows) const {
    const Tensor inner = torch::relu(torch::mm(tokens, up[expert]));
    rows += inner.size(0);
    return torch::mm(inner, down[expert]);
  }
};

// Rows that the experts multiplied in one call, each counted once per expert: those of the results of their first products.
void record_rows(Recorder& recorder, std::int64_t rows) {
  recorder.put("expert_rows", static_cast<double>(rows));
}

Timed all_experts(const Args& args) {
  return [layer = ExpertLayer(args)](Recorder& recorder) {
    const Routing routing = layer.route();
    Tensor y = torch::zeros_like(layer.x);
    std::int64_t rows = 0;
    for (std::int64_t expert = 0; expert < experts; ++expert) {
      const Tensor weight = routing.weight * routing.expert.eq(expert);  // zero for the tokens of other experts
      y += layer.apply(expert, layer.x, rows) * weight.unsqueeze(1);
    }
    record_rows(recorder, rows);
    return y;
  };
}

// --- tokens sorted by their expert --------------------------------------------------------------------------------------

struct SortedTokens {
  Tensor order;   ///< index of each token in the input
  Tensor counts;  ///< tokens of each expert
  Tensor x;
};

SortedTokens sorted_by_expert(const Tensor& x, const Routing& routing) {
  const Tensor order = routing.expert.argsort();
  return {order, torch::bincount(routing.expert, /*weights=*/{}, experts), x.index_select(0, order)};
}

/// The results in the order of the input, multiplied by the router's weights.
Tensor in_input_order(const Tensor& y, const SortedTokens& sorted, const Routing& routing) {
  return torch::empty_like(y).index_copy_(0, sorted.order, y) * routing.weight.unsqueeze(1);
}

std::vector<std::int64_t> on_host(const Tensor& counts) {
  const Tensor host = counts.cpu();
  const auto* first = host.const_data_ptr<std::int64_t>();
  return {first, first + host.numel()};
}

// An expert without tokens multiplies a matrix of zero rows, so that the number of products is always the same.
Timed routed(const Args& args) {
  return [layer = ExpertLayer(args)](Recorder& recorder) {
    const Routing routing = layer.route();
    const SortedTokens sorted = sorted_by_expert(layer.x, routing);
    const std::vector<Tensor> parts = sorted.x.split_with_sizes(on_host(sorted.counts));
    std::vector<Tensor> results;
    std::int64_t rows = 0;
    for (const Tensor& part : parts)
      results.push_back(layer.apply(static_cast<std::int64_t>(results.size()), part, rows));
    record_rows(recorder, rows);
    return in_input_order(torch::cat(results), sorted, routing);
  };
}

// One operator for the products of all experts: it takes the rows at which the experts end. On the CPU it calls mm for each expert, so that it
// saves slices and a concatenation, not products.
Timed grouped(const Args& args) {
  return [layer = ExpertLayer(args)](Recorder& recorder) {
    const Routing routing = layer.route();
    const SortedTokens sorted = sorted_by_expert(layer.x, routing);
    const Tensor ends = sorted.counts.cumsum(/*dim=*/0, torch::kInt);
    const Tensor inner = torch::relu(at::_grouped_mm(sorted.x, layer.up, ends));
    record_rows(recorder, inner.size(0));
    return in_input_order(at::_grouped_mm(inner, layer.down, ends), sorted, routing);
  };
}

TORCHGATE_GROUP("experts") {
  const Axis tokens = group.axis("tokens", {64, 256});
  group.quick(tokens(256)).only_full(tokens(64)).devices().items(tokens).measures(count("expert_rows"));

  group.reference("all_experts", all_experts);
  group.variant("routed", routed)
      .proves(calls("aten::mm") == 1 + products_per_expert * experts)
      .proves(metric("expert_rows") == 64, tokens(64))
      .proves(metric("expert_rows") == 256, tokens(256))
      .claims(metric("expert_rows") <= 0.2 * reference(), cpu)
      .claims(time() <= 0.5 * reference(), where(cpu, tokens(256)));
  group.variant("grouped", grouped)
      .needs("operator:aten::_grouped_mm")
      .proves(calls("aten::_grouped_mm") == products_per_expert)
      .proves(metric("expert_rows") == 64, tokens(64))
      .proves(metric("expert_rows") == 256, tokens(256))
      .claims(metric("expert_rows") <= 0.2 * reference(), cpu)
      .claims(time() <= 0.5 * reference(), where(cpu, tokens(256)));
}

}  // namespace
}  // namespace torchgate::suites::experts
