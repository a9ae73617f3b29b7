// SPDX-License-Identifier: Apache-2.0
// Operators that have a name but no C++ function: quantized::, prepacked::, mkldnn::.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/types.h>

#include <vector>

namespace torchgate::suites {

/// One operator of LibTorch's registry, looked up once.
class Operator {
 public:
  /// "quantized::conv2d", "new". Throws c10::Error when this LibTorch does not have it.
  explicit Operator(const char* name, const char* overload = "");
  /// The operator's first result. Boxed: about a microsecond on top of the operator itself.
  c10::IValue operator()(std::vector<c10::IValue> arguments) const;

 private:
  c10::OperatorHandle handle_;
};

}  // namespace torchgate::suites
