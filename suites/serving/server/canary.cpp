// SPDX-License-Identifier: Apache-2.0
#include "suites/serving/server/canary.hpp"

#include <algorithm>
#include <cmath>

#include "stats/interleaved.hpp"

namespace torchgate::serving {
namespace {

/// The last stage has no old model to compare with.
constexpr std::size_t compared_stages = canary_stages.size() - 1;

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Of the old model's latencies only the last ones are kept: those beside the new model's.
constexpr std::size_t most_old = 4096;

}  // namespace

bool Canary::routes(std::string_view request) const {
  return state_ != CanaryState::rolled_back && is_in_share(request, canary_stages[stage_]);
}

void Canary::observe(bool by_canary, double latency_ns) {
  ++requests_;
  if (by_canary) ++exposed_;
  if (state_ != CanaryState::running) return;
  if (by_canary) {
    new_ns_.push_back(latency_ns);
  } else {
    old_ns_.push_back(latency_ns);
    if (old_ns_.size() > most_old) old_ns_.pop_front();
  }
  if (new_ns_.size() >= policy_.requests_per_pair && old_ns_.size() >= policy_.requests_per_pair) end_pair();
}

void Canary::end_pair() {
  differences_.push_back(std::log(median(new_ns_)) - std::log(median({old_ns_.begin(), old_ns_.end()})));
  new_ns_.clear();
  old_ns_.clear();
  stats::InterleavedOptions options;
  options.alpha = policy_.alpha;
  options.family = compared_stages;
  options.margin = policy_.margin;
  options.last = policy_.pairs_per_stage;
  const stats::InterleavedJudgement judged = stats::judge_interleaved(differences_, options);
  if (judged.stop == stats::Stop::not_yet) return;
  if (judged.call == stats::Call::regressed) {
    state_ = CanaryState::rolled_back;
    return;
  }
  differences_.clear();
  ++stage_;
  if (stage_ == compared_stages) state_ = CanaryState::complete;
}

}  // namespace torchgate::serving
