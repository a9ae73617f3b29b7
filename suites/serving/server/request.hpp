// SPDX-License-Identifier: Apache-2.0
// What a server reports of each request to its observer.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "suites/serving/server/degradation.hpp"

namespace torchgate::serving {

using SteadyTime = std::chrono::steady_clock::time_point;
using std::chrono::nanoseconds;

enum class Outcome : std::uint8_t {
  ok,
  shed,    ///< refused: the queue was full, or the server was overloaded
  failed,  ///< the model threw
};

/// Which model answers.
enum class Level : std::uint8_t { full, lite };

struct RequestSeen {
  std::uint64_t id = 0;
  SteadyTime scheduled;  ///< when the client meant to send it
  SteadyTime started;    ///< its batch was given to the model; it was refused
  SteadyTime finished;
  std::size_t batch = 0;   ///< requests in its batch; 0 if it was refused
  std::size_t queued = 0;  ///< requests that were still waiting then
  Outcome outcome = Outcome::ok;
  Level level = Level::full;
  ServingState state = ServingState::full;  ///< of the server: when the batch began, or the request was refused

  /// From the scheduled time: a client that waited for an answer before it could send this one waited too.
  [[nodiscard]] nanoseconds latency() const { return finished - scheduled; }
};

}  // namespace torchgate::serving
