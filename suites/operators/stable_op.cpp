// SPDX-License-Identifier: Apache-2.0
// An operator with LibTorch's stable ABI: this file uses nothing of ATen, whose ABI changes with each version.
#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/ops.h>
#include <torch/csrc/stable/tensor.h>
#include <torch/headeronly/util/Exception.h>

#include "suites/operators/scale_shift_relu.hpp"

namespace torchgate::suites::stable_op {
namespace {

torch::stable::Tensor stable_scale_shift_relu(const torch::stable::Tensor& x, double scale, double shift) {
  STD_TORCH_CHECK(x.is_contiguous(), "stable_scale_shift_relu: x is not contiguous");
  torch::stable::Tensor y = torch::stable::empty_like(x);
  torchgate::suites::scale_shift_relu_into(y.mutable_data_ptr<float>(), x.const_data_ptr<float>(), x.numel(),
                                           static_cast<float>(scale), static_cast<float>(shift));
  return y;
}

// A fragment: the namespace itself is defined in custom_op.cpp.
STABLE_TORCH_LIBRARY_FRAGMENT(torchgate_example, library) {
  library.def("stable_scale_shift_relu(Tensor x, float scale, float shift) -> Tensor");
}

STABLE_TORCH_LIBRARY_IMPL(torchgate_example, CPU, library) {
  library.impl("stable_scale_shift_relu", TORCH_BOX(&stable_scale_shift_relu));
}

}  // namespace
}  // namespace torchgate::suites::stable_op
