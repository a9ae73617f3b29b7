// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/torch/tensor_inputs.hpp"

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <ATen/record_function.h>

namespace torchgate::bench {
namespace {

constexpr int most_arguments = 3;

std::string describe(const at::Tensor& tensor) {
  if (!tensor.defined()) return "none";
  std::string text = c10::toString(tensor.scalar_type());
  if (tensor.is_cuda()) text = "cuda " + text;
  // Sizes and strides of these are not what they seem, and asking throws.
  if (tensor.is_sparse() || tensor.is_nested() || tensor.is_mkldnn()) return text + " opaque";
  if (tensor.dim() == 0) return text + " scalar";
  for (std::int64_t i = 0; i < tensor.dim(); ++i) text += (i == 0 ? " " : "x") + std::to_string(tensor.size(i));
  if (!tensor.is_contiguous()) {
    text += tensor.is_contiguous(at::MemoryFormat::ChannelsLast) ? " nhwc" : " strided";
  }
  return text;
}

}  // namespace

std::string tensor_inputs(const at::RecordFunction& function) {
  std::string text;
  int arguments = 0;
  for (const c10::IValue& input : function.inputs()) {
    std::string one;
    if (input.isTensor()) {
      one = describe(input.toTensor());
    } else if (input.isTensorList() && !input.toTensorList().empty()) {
      const auto list = input.toTensorList();
      one = "[" + std::to_string(list.size()) + " x " + describe(list.get(0)) + "]";
    }
    if (one.empty()) continue;
    if (++arguments > most_arguments) return text + ", ...";
    text += (text.empty() ? "" : ", ") + one;
  }
  return text;
}

std::string first_dtype(const at::RecordFunction& function) {
  for (const c10::IValue& input : function.inputs()) {
    if (input.isTensor() && input.toTensor().defined()) return c10::toString(input.toTensor().scalar_type());
    if (input.isTensorList() && !input.toTensorList().empty()) {
      const at::Tensor first = input.toTensorList().get(0);
      if (first.defined()) return c10::toString(first.scalar_type());
    }
  }
  return {};
}

}  // namespace torchgate::bench
