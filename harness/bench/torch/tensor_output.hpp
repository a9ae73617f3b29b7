// SPDX-License-Identifier: Apache-2.0
// Tensors, and vectors and tuples of them, as outputs that can be compared.
#pragma once

#include <ATen/core/Tensor.h>

#include <tuple>
#include <vector>

#include "harness/bench/output.hpp"

namespace torchgate::bench {

/// The tensor's elements in row-major order on the host as doubles, whatever its device, layout or memory format: zeros of
/// sparse tensors included, parts of a nested tensor one after another, quantized tensors dequantized. The dtype is that of
/// the tensor. Throws std::invalid_argument for an undefined tensor.
Output output_of_tensor(const at::Tensor& tensor);

/// Appends `next` to `all`: outputs of several tensors are compared as one long vector.
void append(Output& all, const Output& next);

template <>
struct OutputOf<at::Tensor> {
  static Output get(const at::Tensor& tensor) { return output_of_tensor(tensor); }
};

template <>
struct OutputOf<std::vector<at::Tensor>> {
  static Output get(const std::vector<at::Tensor>& tensors) {
    Output all;
    for (const at::Tensor& tensor : tensors) append(all, output_of_tensor(tensor));
    return all;
  }
};

template <class... Ts>
struct OutputOf<std::tuple<Ts...>> {
  static Output get(const std::tuple<Ts...>& parts) {
    Output all;
    std::apply([&](const auto&... part) { (append(all, OutputOf<std::decay_t<decltype(part)>>::get(part)), ...); },
               parts);
    return all;
  }
};

}  // namespace torchgate::bench
