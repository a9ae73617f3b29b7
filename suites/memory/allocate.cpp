// SPDX-License-Identifier: Apache-2.0
// Tensors that need no memory of their own: views of another tensor, and results written where the caller says (out=).
#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"

namespace torchgate::suites::allocate {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Inputs;

// --- view: overlapping windows of a series, as a forecasting model reads them -------------------------------------------

constexpr std::int64_t series_steps = 512;
constexpr std::int64_t series_width = 64;
constexpr std::int64_t window_steps = 128;
constexpr std::int64_t steps_between_windows = 4;

Timed windows(const Args& args, bool copied) {
  return [series = Inputs(args).normal({series_steps, series_width}), copied] {
    std::vector<Tensor> all;
    for (std::int64_t first = 0; first + window_steps <= series_steps; first += steps_between_windows) {
      const Tensor window = series.narrow(/*dim=*/0, first, window_steps);
      all.push_back(copied ? window.clone() : window);
    }
    return all;
  };
}

// --- view_matmul: every second column, projected three times ------------------------------------------------------------

constexpr std::int64_t table_rows = 256;
constexpr std::int64_t table_columns = 256;
constexpr std::int64_t every_second = 2;
constexpr std::int64_t projection_width = 64;
constexpr std::size_t projections = 3;  // query, key and value

// BLAS takes a matrix whose rows or columns are contiguous. This view has neither, so each product copies it.
Timed projected_columns(const Args& args, bool copied) {
  Inputs inputs(args);
  const Tensor table = inputs.normal({table_rows, table_columns});
  std::vector<Tensor> weights(projections);
  for (Tensor& weight : weights) weight = inputs.normal({table_columns / every_second, projection_width});
  return [table, weights, copied] {
    const Tensor view = table.slice(/*dim=*/1, 0, table_columns, every_second);
    const Tensor columns = copied ? view.contiguous() : view;
    std::vector<Tensor> results;
    for (const Tensor& weight : weights) results.push_back(torch::mm(columns, weight));
    return results;
  };
}

// --- out: a product written into a tensor that the caller keeps ---------------------------------------------------------

constexpr std::int64_t product_rows = 128;
constexpr std::int64_t product_width = 256;

Timed product(const Args& args, bool is_new) {
  Inputs inputs(args);
  const Tensor x = inputs.normal({product_rows, product_width});
  const Tensor weight = inputs.normal({product_width, product_width});
  if (is_new) return [=] { return torch::mm(x, weight); };
  return [=, result = torch::empty_like(x)]() mutable {
    at::mm_out(result, x, weight);
    return result;
  };
}

Factory with_memory(bool is_new) {
  return [is_new](const Args& args) -> Timed {
    const std::string op = args.text("op");
    if (op == "view") return windows(args, is_new);
    if (op == "view_matmul") return projected_columns(args, is_new);
    return product(args, is_new);
  };
}

TORCHGATE_GROUP("allocate") {
  const Axis op = group.axis("op", {"view", "view_matmul", "out"});
  group.devices().quick(op("view")).only_full(op("view_matmul"));

  group.reference("new_memory", with_memory(true));
  group.variant("existing_memory", with_memory(false))
      .proves(metric("allocations") == 0, where(cpu, op("view", "out")))
      .proves(metric("allocated_bytes") == 0, where(cpu, op("view", "out")))
      .claims(time() <= 0.6 * reference(), where(cpu, op("view")));
}

}  // namespace
}  // namespace torchgate::suites::allocate
