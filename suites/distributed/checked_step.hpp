// SPDX-License-Identifier: Apache-2.0
// What the groups do with a step before it is timed.
#pragma once

#include <c10/util/Exception.h>

#include <utility>

namespace torchgate::suites {

/// Relative L2 distance of gradients that were summed in another order than by one process.
inline constexpr double order_error = 1e-5;

/// Two more steps. Buckets are rearranged before the second step: from the third on all are alike. The outputs that are
/// compared are the gradients of the step after them, the same one in all variants.
template <class Step>
Step settled(Step step) {
  for (int i = 0; i < 2; ++i) step();
  return step;
}

/// For a reference: its first step is itself compared with the result of one process for the whole batch.
template <class Step>
Step checked_by_one_process(Step step) {
  const double error = step.error_of(step());
  TORCH_CHECK(error <= order_error, "its gradients are not the average over all ranks: they differ by ", error,
              " (relative L2)");
  return settled(std::move(step));
}

/// For a variant, which is compared with the reference.
template <class Step>
Step after_first_step(Step step) {
  step();
  return settled(std::move(step));
}

}  // namespace torchgate::suites
