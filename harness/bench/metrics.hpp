// SPDX-License-Identifier: Apache-2.0
// The metrics that a suite measures itself, declared in a word:
//   .measures(ns("wait"))   .measures(count("steps"))   .measures(ratio("hit_rate").higher())
//   .measures(ns("latency").pooled().primary())   .measures(ns("wait").of_all_ranks())
#pragma once

#include <string>
#include <utility>

#include "harness/record/metric.hpp"

namespace torchgate::bench {

/// A declaration of a metric; smaller is better unless higher() is called.
class OwnMetric {
 public:
  explicit OwnMetric(record::Metric metric) : metric_(std::move(metric)) {}

  OwnMetric& higher() {
    metric_.direction = record::Direction::higher_is_better;
    return *this;
  }
  /// The same in every sample and every process: compared without a test.
  OwnMetric& exact() {
    metric_.kind = record::MetricKind::exact;
    return *this;
  }
  /// Gated in place of the time. Timed metrics only; at most one of a case.
  OwnMetric& primary() {
    metric_.primary = true;
    return *this;
  }

  /// Each observation counts: calls give them to Recorder::each(), and median, P95 and P99 are those of all observations of
  /// a process, in place of one value per call. Timed metrics only.
  OwnMetric& pooled() {
    pooled_ = true;
    return *this;
  }
  /// Of several ranks the largest value; without it a metric is rank 0's. Only in groups with ranks().
  OwnMetric& of_all_ranks() {
    of_all_ranks_ = true;
    return *this;
  }

  [[nodiscard]] const record::Metric& metric() const { return metric_; }
  [[nodiscard]] const std::string& name() const { return metric_.name; }
  [[nodiscard]] bool is_pooled() const { return pooled_; }
  [[nodiscard]] bool is_of_all_ranks() const { return of_all_ranks_; }

  operator record::Metric() const { return metric_; }  // NOLINT(google-explicit-constructor): part of a case

 private:
  record::Metric metric_;
  bool pooled_ = false;
  bool of_all_ranks_ = false;
};

/// A duration of the host, in nanoseconds: a wait, a phase, a latency. Timed.
inline OwnMetric ns(std::string name) {
  return OwnMetric({std::move(name), "ns"});
}
/// A share or a quotient, without a unit. Timed, unless exact() is called.
inline OwnMetric ratio(std::string name) {
  return OwnMetric({std::move(name), "1"});
}
/// How often something happened: steps, probes, batches. Exact.
inline OwnMetric count(std::string name) {
  return OwnMetric({std::move(name), "1"}).exact();
}
/// How large something is. Exact.
inline OwnMetric bytes(std::string name) {
  return OwnMetric({std::move(name), "bytes"}).exact();
}

}  // namespace torchgate::bench
