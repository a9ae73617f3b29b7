// SPDX-License-Identifier: Apache-2.0
// A short description of an operator's arguments.
#pragma once

#include <string>

namespace at {
struct RecordFunction;
}

namespace torchgate::bench {

/// Element type, shape and layout of the operator's tensors: "Float 8x3x32x32, Float 64 strided"; "Float scalar" for no
/// dimensions; "Float 64x64 sparse_csr" and "Float nested" for tensors without strides; "none" for an undefined one. A list
/// is described by its length and its first tensor: "[4 x Float 64x64]". At most three arguments, the rest is "...".
/// Numbers are left out: calls that differ only in a learning rate are alike. REQUIRES: the callback asked for inputs.
std::string tensor_inputs(const at::RecordFunction& function);

/// Element type of the first defined tensor among the arguments: "Float"; empty if there is none.
std::string first_dtype(const at::RecordFunction& function);

}  // namespace torchgate::bench
