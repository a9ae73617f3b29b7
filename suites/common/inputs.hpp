// SPDX-License-Identifier: Apache-2.0
// The inputs of a case.
#pragma once

#include <torch/types.h>

#include "harness/bench/args.hpp"

namespace torchgate::suites {

/// Makes inputs on the host from the case's seed and brings them to its device: the same numbers in every variant, on
/// every device, in every run. Never zeros: multiplying zeros costs less power, and some kernels skip them.
class Inputs {
 public:
  explicit Inputs(const bench::Args& args);

  /// Standard normal, 32-bit floats; in the memory format of the axis "layout" (nchw, nhwc) when it has four dimensions
  /// and the group has that axis.
  torch::Tensor normal(at::IntArrayRef shape);
  /// Uniform bytes on the host, as decoded images are.
  torch::Tensor bytes(at::IntArrayRef shape);

 private:
  at::Generator generator_;
  torch::Device device_;
  torch::MemoryFormat images_ = torch::MemoryFormat::Contiguous;
};

}  // namespace torchgate::suites
