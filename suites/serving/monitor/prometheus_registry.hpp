// SPDX-License-Identifier: Apache-2.0
// The server's metrics for Prometheus, and the port from which it takes them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.hpp"
#include "suites/serving/monitor/seen.hpp"

namespace torchgate::monitor {

/// Every time series is made in the constructor and looked up there: an observation is a few atomic additions, without an
/// allocation. Names and buckets: the list in registry.cpp, which the dashboard is generated from as well.
class Registry {
 public:
  Registry();
  ~Registry();
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  void observe(const Seen& seen);
  /// A detector's alarm: "three_sigma" or "ewma".
  void alarm(std::string_view detector);
  /// How many entries a sink has lost so far: "redis" or "log".
  void dropped(std::string_view sink, std::int64_t total);
  /// What the counters of requests add up to.
  [[nodiscard]] std::int64_t requests() const;

  /// Prometheus' text format.
  [[nodiscard]] std::string text() const;
  /// Serves it on 127.0.0.1 until the registry ends; 0: any free port. Returns the port. io: the port is taken.
  base::Result<int> expose(int port);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

struct Panel {
  std::string title;
  std::string expression;  ///< PromQL
  std::string unit;        ///< of Grafana: "reqps", "ops", "s", "percentunit", "short"
};

/// What an operator looks at, as Prometheus is asked for it.
const std::vector<Panel>& panels();

/// The panels as a dashboard of Grafana (schema 39).
std::string dashboard();

}  // namespace torchgate::monitor
