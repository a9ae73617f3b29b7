// SPDX-License-Identifier: Apache-2.0
#include "suites/serving/server/simulation.hpp"

#include <algorithm>
#include <deque>

namespace torchgate::serving {
namespace {

class Simulation {
 public:
  Simulation(std::span<const nanoseconds> arrivals, const SimulatedServer& server)
      : arrivals_(arrivals), server_(server), policy_(server.batches) {
    if (server.degradation) degradation_.emplace(*server.degradation);
    if (server.pacing) pacing_.emplace(*server.pacing, server.batches);
  }

  SimulatedLoad run() {
    while (next_ < arrivals_.size() || !queue_.empty()) {
      if (queue_.empty()) now_ = std::max(now_, arrivals_[next_]);
      arrive_until(now_);
      wait_for_batch();
      if (!queue_.empty()) run_batch();
    }
    if (degradation_) load_.state_changes = degradation_->changes();
    return std::move(load_);
  }

 private:
  void arrive_until(nanoseconds time) {
    for (; next_ < arrivals_.size() && arrivals_[next_] <= time; ++next_) {
      const bool refuse = queue_.size() >= server_.queue_limit || (degradation_ && degradation_->sheds(queue_.size()));
      if (refuse) {
        ++load_.shed;
      } else {
        queue_.push_back(arrivals_[next_]);
      }
    }
  }

  // Moves the clock to when the queue is a batch: the arrival that fills it, or the end of the oldest request's wait.
  void wait_for_batch() {
    while (!queue_.empty() && !is_batch(queue_.size(), now_ - queue_.front(), policy_)) {
      const nanoseconds timeout = queue_.front() + policy_.timeout;
      const bool another = next_ < arrivals_.size() && arrivals_[next_] < timeout;
      now_ = another ? arrivals_[next_] : timeout;
      arrive_until(now_);
    }
  }

  void run_batch() {
    const std::size_t size = std::min(queue_.size(), policy_.largest);
    const nanoseconds oldest = now_ - queue_.front();
    Level level = Level::full;
    if (degradation_ && degradation_->observe(oldest, queue_.size() - size) != ServingState::full) level = Level::lite;
    const nanoseconds end = now_ + server_.model_time(size, level);
    nanoseconds slowest{0};
    for (std::size_t i = 0; i < size; ++i) {
      const nanoseconds latency = end - queue_.front();
      queue_.pop_front();
      slowest = std::max(slowest, latency);
      load_.latencies.push_back(latency);
    }
    ++load_.batches;
    if (level == Level::lite) load_.lite += static_cast<std::int64_t>(size);
    if (pacing_) policy_ = pacing_->observe(slowest);
    arrive_until(end);
    now_ = end;
  }

  std::span<const nanoseconds> arrivals_;
  const SimulatedServer& server_;
  BatchPolicy policy_;
  std::optional<Degradation> degradation_;
  std::optional<Pacing> pacing_;
  std::deque<nanoseconds> queue_;
  std::size_t next_ = 0;
  nanoseconds now_{0};
  SimulatedLoad load_;
};

}  // namespace

std::int64_t SimulatedLoad::late(nanoseconds limit) const {
  return std::count_if(latencies.begin(), latencies.end(), [&](nanoseconds each) { return each > limit; });
}

SimulatedLoad simulate(std::span<const nanoseconds> arrivals, const SimulatedServer& server) {
  return Simulation(arrivals, server).run();
}

}  // namespace torchgate::serving
