// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/torch/tensor_output.hpp"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <stdexcept>

namespace torchgate::bench {
namespace {

void append_values(const at::Tensor& tensor, std::vector<double>& values) {
  if (tensor.is_nested()) {
    for (const at::Tensor& part : tensor.unbind()) append_values(part, values);
    return;
  }
  at::Tensor host = tensor.detach();
  if (host.is_quantized()) host = host.dequantize();
  if (host.layout() != at::kStrided) host = host.to_dense();
  if (host.is_complex())
    host = at::view_as_real(host.resolve_conj());  // to(kDouble) would leave out the imaginary part
  host = host.to(at::kCPU).to(at::kDouble).contiguous();
  const double* first = host.const_data_ptr<double>();
  values.insert(values.end(), first, first + host.numel());
}

}  // namespace

Output output_of_tensor(const at::Tensor& tensor) {
  if (!tensor.defined()) throw std::invalid_argument("its call returns an undefined tensor; return one with elements");
  const at::NoGradGuard no_grad;
  Output output;
  output.dtype = c10::toString(tensor.scalar_type());
  append_values(tensor, output.values);
  return output;
}

void append(Output& all, const Output& next) {
  all.values.insert(all.values.end(), next.values.begin(), next.values.end());
  all.dtype = all.dtype.empty() ? next.dtype : all.dtype + "," + next.dtype;
}

}  // namespace torchgate::bench
