// SPDX-License-Identifier: Apache-2.0
// Events inside one call, counted in an untimed pass, and the evidence that a variant requires of them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "harness/record/process.hpp"

namespace torchgate::bench {

/// Counts of one call. Counts that the backend does not support are absent.
struct Observation {
  /// Dispatched operators, twice: "aten::addmm" and, by the element type of the first tensor argument,
  /// "aten::addmm:BFloat16".
  std::map<std::string, std::int64_t> operator_calls;
  std::optional<std::int64_t> total_operator_calls;
  std::optional<std::int64_t> allocations;
  std::optional<std::int64_t> allocated_bytes;
  std::optional<std::int64_t> peak_bytes;       ///< above what was live when the call began
  std::optional<std::int64_t> retained_bytes;   ///< still live when it had ended: 0, unless something keeps tensors
  std::optional<std::int64_t> kernel_launches;  ///< on the case's device
  std::optional<std::int64_t> device_copies;    ///< copies and fills of memory, queued on it
  /// Why launches and copies are unknown although supported; absent otherwise.
  std::optional<std::string> launches_unknown;
  /// Collectives (all-reduce, broadcast, barrier ...) that this rank took part in, and the bytes of the tensors it gave.
  std::optional<std::int64_t> collective_calls;
  std::optional<std::int64_t> collective_bytes;
  /// What the call put into its Recorder: the sum of each metric, per call.
  std::map<std::string, double> recorded;

  bool operator==(const Observation&) const = default;
};

/// The exact metrics that the harness counts, by name.
struct CountedMetric {
  const char* name;
  std::optional<std::int64_t> Observation::*count;
};
std::span<const CountedMetric> counted_metrics();

/// Evidence that the expected code path of a variant ran: an INT8 variant that silently ran FP32 must be *wrong*,
/// however fast.
struct Expectation {
  std::string text;  ///< "calls quantized::linear at least 1 time", "has exactly 0 allocations"
  /// Absent if the backend does not count it, which proves nothing.
  std::function<std::optional<std::int64_t>(const Observation&)> count;
  std::function<bool(std::int64_t)> holds;
  std::string metric = {};  ///< the exact metric that it is about; empty for calls of an operator
};

record::PathProof prove(const Expectation& expectation, const Observation& observation);

/// Number of calls of one operator in one call of the variant: calls("quantized::linear") >= 1,
/// calls("aten::batch_norm") == 0, calls("aten::addmm").on("BFloat16") == 3.
class OperatorCalls {
 public:
  explicit OperatorCalls(std::string name) : name_(std::move(name)) {}
  /// Only calls whose first tensor argument has this element type (c10::toString: "Float", "BFloat16", "QUInt8").
  [[nodiscard]] OperatorCalls on(const std::string& dtype) const { return OperatorCalls(name_ + ":" + dtype); }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_;
};

inline OperatorCalls calls(std::string name) {
  return OperatorCalls(std::move(name));
}
Expectation operator>=(const OperatorCalls& calls, std::int64_t least);
Expectation operator<=(const OperatorCalls& calls, std::int64_t most);
Expectation operator==(const OperatorCalls& calls, std::int64_t exactly);

/// An exact metric: one that the harness counts, or one that the variant records itself with count() or bytes().
/// metric("allocations") == 0 is evidence, for proves(); metric("peak_bytes") <= 0.5 * reference() a claim (promise.hpp).
Expectation metric_at_least(const std::string& metric, std::int64_t least);
Expectation metric_at_most(const std::string& metric, std::int64_t most);
Expectation metric_is(const std::string& metric, std::int64_t exactly);

}  // namespace torchgate::bench
