// SPDX-License-Identifier: Apache-2.0
// What an operator was called with, in few words.
#pragma once

#include <string>

namespace at {
struct RecordFunction;
}

namespace torchgate::bench {

/// Element type and shape of the operator's tensors: "Float 8x3x32x32, Float 64 strided"; "Float scalar" for no
/// dimensions; lists in brackets, of which the first tensor stands for all: "[4 x Float 64x64]". At most three
/// arguments, the rest is "...". Numbers are left out: a learning rate is no class of input. REQUIRES: the callback
/// asked for inputs.
std::string tensor_inputs(const at::RecordFunction& function);

/// Element type of the first tensor among them: "Float"; empty where there is none.
std::string first_dtype(const at::RecordFunction& function);

}  // namespace torchgate::bench
