// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/observation.hpp"

#include <array>
#include <cmath>
#include <stdexcept>

#include "harness/base/counted.hpp"

namespace torchgate::bench {
namespace {

constexpr std::array<CountedMetric, 9> counted_by_harness{{{"operator_calls", &Observation::total_operator_calls},
                                                           {"allocations", &Observation::allocations},
                                                           {"allocated_bytes", &Observation::allocated_bytes},
                                                           {"peak_bytes", &Observation::peak_bytes},
                                                           {"retained_bytes", &Observation::retained_bytes},
                                                           {"kernel_launches", &Observation::kernel_launches},
                                                           {"device_copies", &Observation::device_copies},
                                                           {"collective_calls", &Observation::collective_calls},
                                                           {"collective_bytes", &Observation::collective_bytes}}};

using Holds = std::function<bool(std::int64_t)>;

Holds at_least(std::int64_t least) {
  return [least](std::int64_t n) { return n >= least; };
}
Holds at_most(std::int64_t most) {
  return [most](std::int64_t n) { return n <= most; };
}
Holds equal_to(std::int64_t exactly) {
  return [exactly](std::int64_t n) { return n == exactly; };
}

Expectation expect(const OperatorCalls& calls, const std::string& words, std::int64_t bound, Holds holds) {
  const std::string& name = calls.name();
  return {"calls " + name + " " + words + " " + base::counted(bound, "time", "times"),
          [name](const Observation& observation) -> std::optional<std::int64_t> {
            if (!observation.total_operator_calls) return std::nullopt;
            const auto found = observation.operator_calls.find(name);
            return found == observation.operator_calls.end() ? std::int64_t{0} : found->second;
          },
          std::move(holds),
          {}};
}

std::optional<std::int64_t> value_of(const Observation& observation, const std::string& metric) {
  for (const CountedMetric& counted : counted_by_harness) {
    if (metric == counted.name) return observation.*counted.count;
  }
  const auto recorded = observation.recorded.find(metric);
  if (recorded == observation.recorded.end()) return std::nullopt;
  if (std::nearbyint(recorded->second) != recorded->second)
    throw std::runtime_error("metric " + metric + " is " + std::to_string(recorded->second) +
                             ": proves() compares whole numbers; use checks()");
  return static_cast<std::int64_t>(recorded->second);
}

Expectation expect(const std::string& metric, const std::string& words, std::int64_t bound, Holds holds) {
  return {"has " + metric + " of " + words + " " + std::to_string(bound),
          [metric](const Observation& observation) { return value_of(observation, metric); }, std::move(holds), metric};
}

}  // namespace

std::span<const CountedMetric> counted_metrics() {
  return counted_by_harness;
}

record::PathProof prove(const Expectation& expectation, const Observation& observation) {
  const auto observed = expectation.count(observation);
  if (!observed) return {expectation.text + " (not counted by the backend of this suite)", 0, false};
  return {expectation.text, *observed, expectation.holds(*observed)};
}

Expectation operator>=(const OperatorCalls& calls, std::int64_t least) {
  return expect(calls, "at least", least, at_least(least));
}
Expectation operator<=(const OperatorCalls& calls, std::int64_t most) {
  return expect(calls, "at most", most, at_most(most));
}
Expectation operator==(const OperatorCalls& calls, std::int64_t exactly) {
  return expect(calls, "exactly", exactly, equal_to(exactly));
}

Expectation metric_at_least(const std::string& metric, std::int64_t least) {
  return expect(metric, "at least", least, at_least(least));
}
Expectation metric_at_most(const std::string& metric, std::int64_t most) {
  return expect(metric, "at most", most, at_most(most));
}
Expectation metric_is(const std::string& metric, std::int64_t exactly) {
  return expect(metric, "exactly", exactly, equal_to(exactly));
}

}  // namespace torchgate::bench
