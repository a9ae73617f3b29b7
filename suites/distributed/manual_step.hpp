// SPDX-License-Identifier: Apache-2.0
// Data-parallel training without the Reducer: the gradients are all-reduced in groups by a few lines of the suite itself.
#pragma once

#include <torch/torch.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "harness/bench/args.hpp"

namespace torchgate::suites {

/// One rank's part of a training step. All ranks of this_world() make and call it together. All ranks but the first begin it late (straggler_delay): who
/// waits for a message within its backward pass waits for them there.
inline constexpr std::chrono::milliseconds straggler_delay{20};

class ManualStep {
 public:
  /// overlapped: the all-reduce of a group starts as soon as the backward pass has computed the group's last gradient, as the
  /// Reducer does it; otherwise all of them start after the backward pass.
  ManualStep(const bench::Args& args, bool overlapped);
  ~ManualStep();
  ManualStep(ManualStep&&) noexcept;

  /// Forward, backward, reduction, optimizer. Returns the gradients that the optimizer used.
  std::vector<torch::Tensor> operator()();

  /// Time of the last step from its last gradient to the end of the reduction.
  [[nodiscard]] double wait_ns() const;
  /// Messages of the last step that were sent before its backward pass had ended.
  [[nodiscard]] std::int64_t early_messages() const;
  /// Time of the last step's backward pass.
  [[nodiscard]] double backward_ns() const;
  /// Relative L2 distance of the FIRST step's gradients to the average over all ranks' rows, computed by this rank alone.
  [[nodiscard]] double error_of(const std::vector<torch::Tensor>& first) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace torchgate::suites
