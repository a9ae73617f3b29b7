// SPDX-License-Identifier: Apache-2.0
// The server in simulated time: the same batching, degradation and pacing, with a model whose time is a formula. The same arrivals give
// the same counts on every machine, so that what a policy does can be compared exactly.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "suites/serving/server/batch_policy.hpp"
#include "suites/serving/server/degradation.hpp"
#include "suites/serving/server/pacing.hpp"
#include "suites/serving/server/request.hpp"

namespace torchgate::serving {

struct SimulatedServer {
  BatchPolicy batches;
  std::size_t queue_limit = 1024;
  std::optional<DegradationPolicy> degradation = std::nullopt;
  std::optional<PacingPolicy> pacing = std::nullopt;
  /// How long the model works on a batch.
  std::function<nanoseconds(std::size_t batch, Level level)> model_time;
};

struct SimulatedLoad {
  std::int64_t shed = 0;
  std::int64_t batches = 0;
  std::int64_t lite = 0;               ///< answered by the lite model
  std::int64_t state_changes = 0;      ///< of degradation
  std::vector<nanoseconds> latencies;  ///< of answered requests, from their arrival

  /// Answered requests that took longer.
  [[nodiscard]] std::int64_t late(nanoseconds limit) const;
};

/// One worker. `arrivals` in ascending order.
SimulatedLoad simulate(std::span<const nanoseconds> arrivals, const SimulatedServer& server);

}  // namespace torchgate::serving
