// SPDX-License-Identifier: Apache-2.0
// Activation checkpointing, as torch.utils.checkpoint does it in Python. LibTorch's C++ side has none.
#pragma once

#include <ATen/core/ivalue.h>
#include <torch/types.h>

#include <functional>
#include <utility>

namespace torchgate::suites {

/// Consecutive layers of a model. (A class that LibTorch can hold, so that the autograd graph keeps it alive.)
struct Segment final : torch::CustomClassHolder {
  using Run = std::function<torch::Tensor(const torch::Tensor&)>;

  explicit Segment(Run layers) : run(std::move(layers)) {}
  Run run;
};

/// Returns segment.run(x), but keeps only x for the backward pass, which runs the segment again with the same random numbers.
/// The segment may use the default generator of x's device only. REQUIRES: x requires a gradient; otherwise the segment's
/// parameters would get none.
torch::Tensor checkpoint(const c10::intrusive_ptr<Segment>& segment, const torch::Tensor& x);

}  // namespace torchgate::suites
