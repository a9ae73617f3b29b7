// SPDX-License-Identifier: Apache-2.0
// What does not depend on the operator: how many threads it may use, and what every call costs before any work is done.
#include <tuple>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/expected.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/requirements.hpp"

namespace torchgate::suites::threads {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Inputs;
using torchgate::suites::result_is_expected;
using torchgate::suites::two_cpus;

// --- threads: one product on one CPU or on two ----------------------------------------------------------------------------

// The product and the number of threads, then what both must be.
Timed product(const Args& args) {
  constexpr std::int64_t size = 384;
  const auto threads = static_cast<int>(args.number("threads"));
  at::set_num_threads(threads);  // the harness restores it before the next case
  Inputs inputs(args);
  const Tensor left = inputs.normal({size, size});
  const Tensor right = inputs.normal({size, size});
  return [=, expected = torch::mm(left.to(torch::kDouble), right.to(torch::kDouble))] {
    return std::tuple{torch::mm(left, right), at::get_num_threads(), expected, threads};
  };
}

std::optional<std::string> right_product_by_all_threads(const Output& output) {
  const std::size_t half = output.values.size() / 2;
  if (output.values.at(half - 1) != output.values.back()) {
    return "the expected code path did not run: LibTorch used another number of threads";
  }
  return result_is_expected(output);
}

TORCHGATE_GROUP("threads") {
  const Axis threads = group.axis("threads", {1, 2});
  group.needs("two CPUs", two_cpus);

  group.sweep("mm", product)
      .checks(right_product_by_all_threads)
      .proves(calls("aten::mm") == 1)
      .claims(time() <= 0.75 * case_with(threads(1)), threads(2));
}

// --- dispatch: a call of an operator that has next to nothing to do -------------------------------------------------------

Timed dispatched(const Args& args) {
  Inputs inputs(args);
  const Tensor x = inputs.normal({1});
  const Tensor y = inputs.normal({1});
  const std::string op = args.text("op");
  if (op == "add_") return [=]() mutable { x.add_(y); };
  if (op == "view") return [=] { return x.view({1, 1}); };
  return [=] { return torch::empty({1}); };
}

TORCHGATE_GROUP("dispatch") {
  const Axis op = group.axis("op", {"add_", "view", "empty"});
  group.quick(op("add_", "empty"));

  group.sweep("call", dispatched)
      .proves(calls("aten::add_") == 1, op("add_"))
      .proves(calls("aten::view") == 1, op("view"))
      .proves(calls("aten::empty") == 1, op("empty"))
      .proves(metric("allocations") == 0, op("add_", "view"))
      .proves(metric("allocations") == 1, op("empty"))
      .claims(metric("operator_calls") <= 1.0 * case_with(op("add_")));
}

}  // namespace
}  // namespace torchgate::suites::threads
