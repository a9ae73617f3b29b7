// SPDX-License-Identifier: Apache-2.0
// Adapts batches to a target latency: smaller ones, formed sooner, when requests take too long; larger ones again when they do not.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "suites/serving/server/batch_policy.hpp"

namespace torchgate::serving {

struct PacingPolicy {
  std::chrono::nanoseconds target = std::chrono::milliseconds(100);
  double reduce_above = 1.2;   ///< times the target
  double restore_below = 0.7;  ///< times the target: between the two nothing changes
  int batches_per_step = 100;
  std::size_t smallest = 1;
};

/// One step every `batches_per_step` batches, by the worst latency of the batches since the last one.
class Pacing {
 public:
  Pacing(PacingPolicy policy, BatchPolicy full) : policy_(policy), full_(full), now_(full) {}

  /// The slowest request of a batch took this long. Returns the policy for the next batch.
  const BatchPolicy& observe(std::chrono::nanoseconds slowest);
  [[nodiscard]] std::int64_t steps() const { return steps_; }

 private:
  PacingPolicy policy_;
  BatchPolicy full_;
  BatchPolicy now_;
  std::chrono::nanoseconds worst_{0};
  int seen_ = 0;
  std::int64_t steps_ = 0;
};

}  // namespace torchgate::serving
