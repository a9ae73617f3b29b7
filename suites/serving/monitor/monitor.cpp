// SPDX-License-Identifier: Apache-2.0
#include "suites/serving/monitor/monitor.hpp"

namespace torchgate::monitor {
namespace {

/// How often the totals of the sinks are copied into the registry: they are read once in 15 s.
constexpr int requests_per_total = 256;

}  // namespace

void Monitor::observe(const Seen& seen) {
  const auto observe_by = [&](auto* part) {
    if (part == nullptr) return;
    part->observe(seen);
    ++observations_;
  };
  observe_by(registry.get());
  observe_by(log.get());
  observe_by(redis.get());
  if (seen.outcome == Outcome::ok && seen.latency_ns > 0) {
    const auto latency = static_cast<double>(seen.latency_ns);
    observations_ += (three_sigma ? 1 : 0) + (ewma ? 1 : 0);
    const bool sigma_alarm = three_sigma && three_sigma->observe(latency).alarm;
    const bool ewma_alarm = ewma && ewma->observe(latency).alarm;
    if (sigma_alarm && registry != nullptr) registry->alarm("three_sigma");
    if (ewma_alarm && registry != nullptr) registry->alarm("ewma");
  }
  if (registry == nullptr || until_totals_-- > 0) return;
  until_totals_ = requests_per_total;
  if (redis != nullptr) registry->dropped("redis", redis->dropped());
  if (log != nullptr) registry->dropped("log", log->dropped());
}

}  // namespace torchgate::monitor
