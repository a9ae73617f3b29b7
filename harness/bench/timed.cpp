// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/timed.hpp"

namespace torchgate::bench {

void Recorder::put(std::string_view metric, double value) {
  auto sum = sums_.find(metric);
  if (sum == sums_.end()) sum = sums_.emplace(metric, Sum{}).first;
  sum->second.value += value;
  ++sum->second.puts;
}

void Recorder::clear() {
  for (auto& [metric, sum] : sums_) sum = {};
}

Recorder::Phase::Phase(Recorder& recorder, std::string_view name)
    : recorder_(recorder), name_(name), start_ns_(recorder.clock_->wall_ns()) {}

Recorder::Phase::~Phase() {
  recorder_.put(name_, static_cast<double>(recorder_.clock_->wall_ns() - start_ns_));
}

}  // namespace torchgate::bench
