// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/timed.hpp"

#include <stdexcept>

namespace torchgate::bench {

void Recorder::put(std::string_view metric, double value) {
  auto sum = sums_.find(metric);
  if (sum == sums_.end()) sum = sums_.emplace(metric, Sum{}).first;
  sum->second.value += value;
  ++sum->second.puts;
}

void Recorder::each(std::string_view metric, double value) {
  auto found = observations_.find(metric);
  if (found == observations_.end()) found = observations_.emplace(metric, std::vector<double>()).first;
  if (found->second.size() == most_observations)
    throw std::runtime_error("more than " + std::to_string(most_observations) + " observations of \"" +
                             std::string(metric) + "\" in one sample; make calls shorter");
  found->second.push_back(value);
}

void Recorder::clear() {
  for (auto& [metric, sum] : sums_) sum = {};
  for (auto& [metric, values] : observations_) values.clear();
}

Recorder::Phase::Phase(Recorder& recorder, std::string_view name)
    : recorder_(recorder), name_(name), start_ns_(recorder.clock_->wall_ns()) {}

Recorder::Phase::~Phase() {
  recorder_.put(name_, static_cast<double>(recorder_.clock_->wall_ns() - start_ns_));
}

}  // namespace torchgate::bench
