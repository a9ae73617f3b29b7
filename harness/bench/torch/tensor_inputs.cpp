// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/torch/tensor_inputs.hpp"

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <ATen/record_function.h>

#include <exception>

namespace torchgate::bench {
namespace {

constexpr int most_arguments = 3;

// As PyTorch spells them: torch.sparse_csr.
const char* layout_name(at::Layout layout) {
  switch (layout) {
    case at::kStrided:
      return "strided";
    case at::kSparse:
      return "sparse_coo";
    case at::kSparseCsr:
      return "sparse_csr";
    case at::kSparseCsc:
      return "sparse_csc";
    case at::kSparseBsr:
      return "sparse_bsr";
    case at::kSparseBsc:
      return "sparse_bsc";
    case at::kMkldnn:
      return "mkldnn";
    case at::kJagged:
      return "jagged";
    case at::Layout::NumOptions:
      break;
  }
  return "unknown_layout";
}

std::string shape(const at::Tensor& tensor) {
  if (tensor.is_nested()) return "nested";  // each part has a shape of its own: asking for one of the whole throws
  std::string text;
  for (const std::int64_t size : tensor.sizes()) text += (text.empty() ? "" : "x") + std::to_string(size);
  if (text.empty()) text = "scalar";
  // Only a strided tensor has strides: LibTorch throws when any other is asked whether it is contiguous.
  if (tensor.layout() != at::kStrided) return text + " " + layout_name(tensor.layout());
  if (tensor.is_contiguous()) return text;
  return text + (tensor.is_contiguous(at::MemoryFormat::ChannelsLast) ? " nhwc" : " strided");
}

// Never throws, even for kinds of tensors that a later LibTorch or an extension adds: an exception would drop the
// description of the whole operator.
std::string describe(const at::Tensor& tensor) {
  if (!tensor.defined()) return "none";
  std::string text = c10::toString(tensor.scalar_type());
  if (tensor.is_cuda()) text = "cuda " + text;
  try {
    return text + " " + shape(tensor);
  } catch (const std::exception&) {
    return text + " opaque";
  }
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
