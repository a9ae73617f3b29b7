// SPDX-License-Identifier: Apache-2.0
// A new model gets 1, 5, 20, 50 and 100 % of the requests, stage by stage, and none any more as soon as it is slower.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string_view>
#include <vector>

#include "suites/serving/server/router.hpp"

namespace torchgate::serving {

inline constexpr std::array<BasisPoints, 5> canary_stages{{{100}, {500}, {2000}, {5000}, {10'000}}};

enum class CanaryState : std::uint8_t { running, rolled_back, complete };

struct CanaryPolicy {
  /// Risk of rolling back a model that is not slower, over all stages together.
  double alpha = 0.01;
  /// Smaller slow-downs are ignored; a share.
  double margin = 0.02;
  /// Pairs of a stage without an alarm that lead to the next one; the looks of stats/interleaved.hpp are at fixed pairs below.
  std::size_t pairs_per_stage = 24;
  /// A pair: the median latency of so many requests of the canary, and of those of the old model that came meanwhile.
  std::size_t requests_per_pair = 5;
};

/// In each stage but the last, pairs of latencies of both models from the same period are judged by the sequential signed-rank test of
/// stats/interleaved.hpp; the stages share alpha (Bonferroni). Load that changes for both models cancels in a pair.
class Canary {
 public:
  explicit Canary(CanaryPolicy policy = {}) : policy_(policy) {}

  /// Whether the new model answers this request.
  [[nodiscard]] bool routes(std::string_view request) const;
  /// A request was answered in `latency_ns` (above 0) by the new model, or the old one.
  void observe(bool by_canary, double latency_ns);

  [[nodiscard]] CanaryState state() const { return state_; }
  [[nodiscard]] std::size_t stage() const { return stage_; }
  [[nodiscard]] std::int64_t requests() const { return requests_; }
  /// Of all requests so far, those that the new model answered.
  [[nodiscard]] std::int64_t exposed() const { return exposed_; }

 private:
  void end_pair();

  CanaryPolicy policy_;
  CanaryState state_ = CanaryState::running;
  std::size_t stage_ = 0;
  std::vector<double> new_ns_;
  std::deque<double> old_ns_;
  std::vector<double> differences_;
  std::int64_t requests_ = 0;
  std::int64_t exposed_ = 0;
};

}  // namespace torchgate::serving
