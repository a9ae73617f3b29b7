// SPDX-License-Identifier: Apache-2.0
// How long a step waits for its gradients' reduction.
#pragma once

#include <torch/torch.h>

#include <chrono>

namespace torchgate::suites {

/// Times from the gradient that the backward pass computes last, that of the first layer, to done(). Must live as long as the
/// parameter, and stay where it is.
class WaitClock {
 public:
  explicit WaitClock(const torch::Tensor& first_parameter) {
    first_parameter.register_hook([this](const torch::Tensor&) { last_gradient_ = Clock::now(); });
  }
  WaitClock(const WaitClock&) = delete;
  WaitClock& operator=(const WaitClock&) = delete;

  void done() { wait_ns_ = std::chrono::duration<double, std::nano>(Clock::now() - last_gradient_).count(); }
  [[nodiscard]] double wait_ns() const { return wait_ns_; }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last_gradient_;
  double wait_ns_ = 0;
};

}  // namespace torchgate::suites
