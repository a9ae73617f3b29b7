// SPDX-License-Identifier: Apache-2.0
// Everything that watches a server, each part optional: what a request costs with it is what the group serving/instrumented measures.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "suites/serving/monitor/detector.hpp"
#include "suites/serving/monitor/prometheus_registry.hpp"
#include "suites/serving/monitor/redis_sink.hpp"
#include "suites/serving/monitor/request_log.hpp"
#include "suites/serving/monitor/seen.hpp"

namespace torchgate::monitor {

class Monitor {
 public:
  std::unique_ptr<Registry> registry;
  std::unique_ptr<RequestLog> log;
  std::unique_ptr<RedisSink> redis;
  std::optional<ThreeSigma> three_sigma;
  std::optional<Ewma> ewma;

  /// A request was answered or refused. Calls must not overlap: a server's worker makes them.
  void observe(const Seen& seen);
  /// Requests that parts observed: each request once for each part.
  [[nodiscard]] std::int64_t observations() const { return observations_; }

 private:
  int until_totals_ = 0;
  std::int64_t observations_ = 0;
};

}  // namespace torchgate::monitor
