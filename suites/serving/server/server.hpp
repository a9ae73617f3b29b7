// SPDX-License-Identifier: Apache-2.0
// A model server in one process: a bounded queue, batches that are formed while requests wait, one worker.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "suites/serving/server/batch_policy.hpp"
#include "suites/serving/server/degradation.hpp"
#include "suites/serving/server/request.hpp"

namespace torchgate::serving {

struct ServerOptions {
  BatchPolicy batches = {};
  std::size_t queue_limit = 1024;  ///< more waiting requests are shed
  std::optional<DegradationPolicy> degradation =
      std::nullopt;  ///< absent: the full model answers everything that fits into the queue
  /// How long the worker looks for the next request before it sleeps: waking a thread takes 30 to 50 us in a virtual machine.
  std::chrono::nanoseconds spin = std::chrono::microseconds(50);
  /// Called by the worker's thread, before the next batch is run, for each request that was refused: an observer of the
  /// server sees these too, and its calls never overlap. Not for those that come after stop(). Empty: not reported.
  std::function<void(const RequestSeen&)> on_shed = {};
};

struct ServerCounts {
  std::int64_t accepted = 0;
  std::int64_t shed = 0;
  std::int64_t completed = 0;
  std::int64_t failed = 0;
  std::int64_t batches = 0;
  std::int64_t lite = 0;  ///< completed by the lite model

  bool operator==(const ServerCounts&) const = default;
};

/// Every accepted request is answered exactly once, also when the server ends: nothing is lost. `Input` is moved into a batch.
template <class Input, class Output>
class Server {
 public:
  /// One output per input, in order. Throwing fails the requests of that batch; the server goes on.
  using Model = std::function<std::vector<Output>(std::span<Input>)>;
  /// Called by the worker's thread; absent output: the request failed. It must not throw, and should be short.
  using Answer = std::function<void(const RequestSeen&, std::optional<Output>)>;

  /// `lite`: answers while the server is degraded; empty: the full model does.
  Server(Model full, Model lite, ServerOptions options)
      : models_{std::move(full), std::move(lite)},
        options_(options),
        degradation_(options.degradation ? std::optional<Degradation>(*options.degradation) : std::nullopt),
        worker_([this] { work(); }) {}
  ~Server() { stop(); }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Answers what is queued, refuses what comes later, and waits for the worker.
  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    if (worker_.joinable()) worker_.join();
  }

  /// False if it is shed; `answer` is not called then.
  bool submit(std::uint64_t id, Input input, SteadyTime scheduled, Answer answer) {
    {
      const std::lock_guard lock(mutex_);
      const bool refuse =
          stopping_ || queue_.size() >= options_.queue_limit || (degradation_ && degradation_->sheds(queue_.size()));
      if (refuse) {
        ++counts_.shed;
        if (options_.on_shed && !stopping_) refused_.push_back(refusal(id, scheduled));
        return false;
      }
      ++counts_.accepted;
      queue_.push_back({id, std::move(input), scheduled, std::chrono::steady_clock::now(), std::move(answer)});
      waiting_.store(queue_.size(), std::memory_order_relaxed);
      if (!sleeping_) return true;  // it looks at the queue before it sleeps
    }
    changed_.notify_one();
    return true;
  }

  /// From now on. For a controller that adapts it to the load (pacing.hpp).
  void set_batches(BatchPolicy policy) {
    const std::lock_guard lock(mutex_);
    options_.batches = policy;
  }
  [[nodiscard]] BatchPolicy batches() const {
    const std::lock_guard lock(mutex_);
    return options_.batches;
  }
  [[nodiscard]] ServerCounts counts() const {
    const std::lock_guard lock(mutex_);
    return counts_;
  }
  [[nodiscard]] ServingState state() const {
    const std::lock_guard lock(mutex_);
    return current_state();
  }

 private:
  struct Queued {
    std::uint64_t id;
    Input input;
    SteadyTime scheduled;
    SteadyTime arrived;
    Answer answer;
  };

  // The two with the mutex held.
  ServingState current_state() const { return degradation_ ? degradation_->state() : ServingState::full; }
  RequestSeen refusal(std::uint64_t id, SteadyTime scheduled) const {
    RequestSeen seen;
    seen.id = id;
    seen.scheduled = scheduled;
    seen.started = seen.finished = std::chrono::steady_clock::now();
    seen.queued = queue_.size();
    seen.outcome = Outcome::shed;
    seen.state = current_state();
    return seen;
  }

  void work() {
    for (;;) {
      std::vector<Queued> batch;
      std::vector<RequestSeen> refused;
      std::size_t left = 0;
      ServingState state = ServingState::full;
      {
        std::unique_lock lock(mutex_);
        if (!wait_for_batch(lock)) return;
        const std::size_t size = std::min(queue_.size(), options_.batches.largest);
        batch.reserve(size);
        for (std::size_t i = 0; i < size; ++i) {
          batch.push_back(std::move(queue_.front()));
          queue_.pop_front();
        }
        left = queue_.size();
        waiting_.store(left, std::memory_order_relaxed);
        const auto oldest = std::chrono::steady_clock::now() - batch.front().scheduled;
        if (degradation_) state = degradation_->observe(oldest, left);
        refused.swap(refused_);
      }
      for (const RequestSeen& each : refused) options_.on_shed(each);
      run(batch, left, state);
    }
  }

  // False: the server ends, and nothing is left to answer.
  bool wait_for_batch(std::unique_lock<std::mutex>& lock) {
    for (;;) {
      if (queue_.empty()) {
        if (stopping_) return false;
        lock.unlock();
        const bool found = spin();
        lock.lock();
        if (found || !queue_.empty() || stopping_) continue;
        sleeping_ = true;
        changed_.wait(lock);
        sleeping_ = false;
        continue;
      }
      const auto oldest = std::chrono::steady_clock::now() - queue_.front().arrived;
      if (stopping_ || is_batch(queue_.size(), oldest, options_.batches)) return true;
      sleeping_ = true;
      changed_.wait_for(lock, options_.batches.timeout - oldest);
      sleeping_ = false;
    }
  }

  bool spin() const {
    const auto end = std::chrono::steady_clock::now() + options_.spin;
    do {
      if (waiting_.load(std::memory_order_relaxed) > 0) return true;
      std::this_thread::yield();
    } while (std::chrono::steady_clock::now() < end);
    return false;
  }

  void run(std::vector<Queued>& batch, std::size_t left, ServingState state) {
    const Level level = state == ServingState::full ? Level::full : Level::lite;
    const Model& model = level == Level::lite && models_[1] ? models_[1] : models_[0];
    std::vector<Input> inputs;
    inputs.reserve(batch.size());
    for (Queued& each : batch) inputs.push_back(std::move(each.input));
    RequestSeen seen;
    seen.batch = batch.size();
    seen.queued = left;
    seen.level = level;
    seen.state = state;
    seen.started = std::chrono::steady_clock::now();
    std::vector<Output> outputs;
    try {
      outputs = model(inputs);
    } catch (...) {
      outputs.clear();
    }
    const bool complete = outputs.size() == batch.size();
    seen.outcome = complete ? Outcome::ok : Outcome::failed;
    seen.finished = std::chrono::steady_clock::now();
    {
      const std::lock_guard lock(mutex_);
      ++counts_.batches;
      (complete ? counts_.completed : counts_.failed) += static_cast<std::int64_t>(batch.size());
      if (complete && level == Level::lite) counts_.lite += static_cast<std::int64_t>(batch.size());
    }
    for (std::size_t i = 0; i < batch.size(); ++i) {
      seen.id = batch[i].id;
      seen.scheduled = batch[i].scheduled;
      std::optional<Output> output;
      if (complete) output = std::move(outputs[i]);
      batch[i].answer(seen, std::move(output));
    }
  }

  Model models_[2];
  ServerOptions options_;
  std::optional<Degradation> degradation_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Queued> queue_;
  std::vector<RequestSeen> refused_;     // since the last batch
  std::atomic<std::size_t> waiting_{0};  // the size of the queue, for the worker that spins
  ServerCounts counts_;
  bool stopping_ = false;
  bool sleeping_ = false;
  std::thread worker_;  // last: it uses everything above
};

}  // namespace torchgate::serving
