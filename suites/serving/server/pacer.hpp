// SPDX-License-Identifier: Apache-2.0
// Pacing of a server that runs: told of each answer, it sets the server's batches.
#pragma once

#include <algorithm>

#include "suites/serving/server/pacing.hpp"
#include "suites/serving/server/request.hpp"

namespace torchgate::serving {

/// `AnyServer`: Server<...>, which must outlive it. observe() is called by the worker's thread, from the answers.
template <class AnyServer>
class Pacer {
 public:
  Pacer(AnyServer& server, PacingPolicy policy) : server_(server), pacing_(policy, server.batches()) {}

  /// A request was answered. Those of a batch have the same start: its slowest one is known when the next batch's first one comes.
  void observe(const RequestSeen& seen) {
    if (seen.started != batch_ && slowest_.count() > 0) {
      server_.set_batches(pacing_.observe(slowest_));
      slowest_ = {};
    }
    batch_ = seen.started;
    slowest_ = std::max(slowest_, seen.latency());
  }
  [[nodiscard]] std::int64_t steps() const { return pacing_.steps(); }

 private:
  AnyServer& server_;
  Pacing pacing_;
  SteadyTime batch_;
  nanoseconds slowest_{0};
};

}  // namespace torchgate::serving
