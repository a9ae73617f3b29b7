// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/torch/tensor_output.hpp"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

namespace torchgate::bench {

Output output_of_tensor(const at::Tensor& tensor) {
  at::NoGradGuard no_grad;
  Output output;
  output.dtype = c10::toString(tensor.scalar_type());
  at::Tensor host = tensor.is_quantized() ? tensor.dequantize() : tensor.detach();
  host = host.to(at::kCPU).to(at::kDouble).contiguous();
  const double* first = host.const_data_ptr<double>();
  output.values.assign(first, first + host.numel());
  return output;
}

void append(Output& all, const Output& next) {
  all.values.insert(all.values.end(), next.values.begin(), next.values.end());
  all.dtype = all.dtype.empty() ? next.dtype : all.dtype + "," + next.dtype;
}

}  // namespace torchgate::bench
