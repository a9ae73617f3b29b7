// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/observation.hpp"

#include "harness/base/counted.hpp"

namespace torchgate::bench {
namespace {

Expectation expect(const OperatorCalls& calls, const std::string& words, std::int64_t bound,
                   std::function<bool(std::int64_t)> holds) {
  const std::string& name = calls.name();
  return {"calls " + name + " " + words + " " + base::counted(bound, "time", "times"),
          [name](const Observation& observation) -> std::optional<std::int64_t> {
            if (!observation.total_operator_calls) return std::nullopt;
            const auto found = observation.operator_calls.find(name);
            return found == observation.operator_calls.end() ? std::int64_t{0} : found->second;
          },
          std::move(holds)};
}

}  // namespace

record::PathProof prove(const Expectation& expectation, const Observation& observation) {
  const auto observed = expectation.count(observation);
  if (!observed) return {expectation.text + " (not counted by the backend of this suite)", 0, false};
  return {expectation.text, *observed, expectation.holds(*observed)};
}

Expectation operator>=(const OperatorCalls& calls, std::int64_t least) {
  return expect(calls, "at least", least, [least](std::int64_t n) { return n >= least; });
}
Expectation operator<=(const OperatorCalls& calls, std::int64_t most) {
  return expect(calls, "at most", most, [most](std::int64_t n) { return n <= most; });
}
Expectation operator==(const OperatorCalls& calls, std::int64_t exactly) {
  return expect(calls, "exactly", exactly, [exactly](std::int64_t n) { return n == exactly; });
}

}  // namespace torchgate::bench
