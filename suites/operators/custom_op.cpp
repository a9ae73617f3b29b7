// SPDX-License-Identifier: Apache-2.0
// An operator of one's own: one pass over memory in place of three, and the ways to register and call it.
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/library.h>

#include <cstdint>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/operator.hpp"
#include "suites/operators/scale_shift_relu.hpp"

namespace torchgate::suites::custom_op {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Inputs;
using torchgate::suites::Operator;

constexpr double example_scale = 1.5;
constexpr double example_shift = 0.25;
constexpr const char* example_name = "torchgate_example::scale_shift_relu";
constexpr const char* stable_example_name = "torchgate_example::stable_scale_shift_relu";

// --- the operator ---------------------------------------------------------------------------------------------------------

Tensor scale_shift_relu(const Tensor& x, double scale, double shift) {
  TORCH_CHECK(x.is_contiguous(), "scale_shift_relu: x is not contiguous");
  Tensor y = at::empty(x.sizes(), x.options());
  torchgate::suites::scale_shift_relu_into(y.mutable_data_ptr<float>(), x.const_data_ptr<float>(), x.numel(),
                                           static_cast<float>(scale), static_cast<float>(shift));
  return y;
}

TORCH_LIBRARY(torchgate_example, library) {
  library.def("scale_shift_relu(Tensor x, float scale, float shift) -> Tensor");
}

TORCH_LIBRARY_IMPL(torchgate_example, CPU, library) {
  library.impl("scale_shift_relu", &scale_shift_relu);
}

// Neither has a gradient. Without this each call, typed or not, is boxed by LibTorch's fallback for operators without one.
TORCH_LIBRARY_IMPL(torchgate_example, Autograd, library) {
  library.impl("scale_shift_relu", torch::CppFunction::makeFallthrough());
  library.impl("stable_scale_shift_relu", torch::CppFunction::makeFallthrough());
}

// --- the calls ------------------------------------------------------------------------------------------------------------

Tensor example_input(const Args& args) {
  return Inputs(args).normal({args.number("size")});
}

Timed composed(const Args& args) {
  return [x = example_input(args)] { return torch::relu(x * example_scale + example_shift); };
}

Factory boxed_call(const char* name) {
  return [name](const Args& args) -> Timed {
    return [x = example_input(args), op = Operator(name)] { return op({x, example_scale, example_shift}).toTensor(); };
  };
}

Timed typed_call(const Args& args) {
  const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow(example_name, "").typed<Tensor(const Tensor&, double, double)>();
  return [x = example_input(args), op] { return op.call(x, example_scale, example_shift); };
}

constexpr double rounding_error = 1e-6;

// No claim about times: LibTorch's kernels use the widest vectors of the CPU, this loop those of every x86-64 CPU.
TORCHGATE_GROUP("custom_op") {
  const Axis size = group.axis("size", {1'000, 200'000});  // mostly the call, mostly the loop
  group.quick(size(200'000)).items(size);

  group.reference("composed", composed).proves(calls("aten::relu") == 1);
  group.variant("boxed", boxed_call(example_name))
      .within(rounding_error)
      .proves(calls(example_name) == 1)
      .proves(calls("aten::relu") == 0)
      .proves(metric("allocations") == 1)
      .claims(metric("allocated_bytes") <= 0.5 * reference());
  group.variant("typed", typed_call)
      .within(rounding_error)
      .proves(calls(example_name) == 1)
      .proves(calls("aten::relu") == 0)
      .proves(metric("allocations") == 1)
      .claims(metric("allocated_bytes") <= 0.5 * reference())
      .claims(metric("operator_calls") <= 0.7 * reference());
  group.variant("stable", boxed_call(stable_example_name))
      .within(rounding_error)
      .proves(calls(stable_example_name) == 1)
      .proves(calls("aten::relu") == 0)
      .claims(metric("allocated_bytes") <= 0.5 * reference());
}

}  // namespace
}  // namespace torchgate::suites::custom_op
