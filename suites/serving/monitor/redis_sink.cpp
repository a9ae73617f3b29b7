// SPDX-License-Identifier: Apache-2.0
#include "suites/serving/monitor/redis_sink.hpp"

#include <hiredis/hiredis.h>
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

namespace torchgate::monitor {
namespace {

using std::chrono::milliseconds;

/// Between two looks at the queue: an entry is at most so old when it is sent.
constexpr milliseconds interval{20};
constexpr milliseconds first_backoff{50};
constexpr milliseconds window_length{5 * 60 * 1000};
/// Entries of a pipeline: about 90 ms of a Redis that takes 45,000 a second, which is well below the patience.
constexpr std::size_t longest_pipeline = 4096;
/// For all replies of a pipeline, as each may come in time and all of them together not; and for all pipelines at the end.
constexpr int patience_in_timeouts = 5;

timeval timeval_of(milliseconds time) {
  return {static_cast<time_t>(time.count() / 1000), static_cast<suseconds_t>(time.count() % 1000 * 1000)};
}

struct Entry {
  Seen seen;
  std::int64_t at_ms = 0;
};

std::int64_t now_ms() {
  return std::chrono::duration_cast<milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

struct Close {
  void operator()(redisContext* context) const { redisFree(context); }
};
using Connection = std::unique_ptr<redisContext, Close>;

Connection connect(const RedisOptions& options) {
  Connection connection(redisConnectWithTimeout(options.host.c_str(), options.port, timeval_of(options.timeout)));
  if (connection == nullptr || connection->err != 0) return nullptr;
  if (redisSetTimeout(connection.get(), timeval_of(options.timeout)) != REDIS_OK) return nullptr;
  return connection;
}

}  // namespace

struct RedisSink::Parts {
  explicit Parts(RedisOptions given) : options(std::move(given)) {
    waiting.reserve(options.queue);
    taken.reserve(options.queue);
  }

  RedisOptions options;
  std::mutex mutex;
  std::condition_variable ended;
  std::vector<Entry> waiting;  // never more than `queue`, which is reserved
  std::vector<Entry> taken;    // of the thread; the two change places, so that the lock is held for a moment
  bool stopping = false;
  std::atomic<std::int64_t> sent{0};
  std::atomic<std::int64_t> dropped{0};
  std::int32_t published_state = 0;
  std::thread thread;

  void take() {
    taken.clear();
    const std::lock_guard lock(mutex);
    taken.swap(waiting);
  }

  // Whether the server took all of them.
  bool send(redisContext& context, std::span<const Entry> entries) {
    const auto end = std::chrono::steady_clock::now() + patience_in_timeouts * options.timeout;
    int replies = 0;
    std::int32_t state = published_state;
    for (const Entry& each : entries) {
      const Seen& seen = each.seen;
      redisAppendCommand(&context,
                         "XADD metrics:stream MAXLEN ~ 10000 * request %llu latency_ns %lld outcome %s model %s",
                         static_cast<unsigned long long>(seen.id), static_cast<long long>(seen.latency_ns),
                         outcome_names[static_cast<std::size_t>(seen.outcome)].data(),
                         model_names[static_cast<std::size_t>(seen.model)].data());
      redisAppendCommand(&context, "ZADD metrics:window %lld %lld:%llu", static_cast<long long>(each.at_ms),
                         static_cast<long long>(each.at_ms), static_cast<unsigned long long>(seen.id));
      replies += 2;
      if (seen.state != state) {
        state = seen.state;
        redisAppendCommand(&context, "PUBLISH degradation:trigger %d", seen.state);
        ++replies;
      }
    }
    redisAppendCommand(&context, "ZREMRANGEBYSCORE metrics:window -inf %lld",
                       static_cast<long long>(now_ms() - window_length.count()));
    ++replies;
    for (int i = 0; i < replies; ++i) {
      void* reply = nullptr;
      if (redisGetReply(&context, &reply) != REDIS_OK) return false;
      const bool refused = static_cast<redisReply*>(reply)->type == REDIS_REPLY_ERROR;
      freeReplyObject(reply);
      if (refused || std::chrono::steady_clock::now() > end) return false;
    }
    published_state = state;  // only now: what a failed pipeline did not publish, the next one does
    return true;
  }

  void work() {
    // hiredis writes without MSG_NOSIGNAL: the second write to a connection that Redis has closed raises SIGPIPE in this thread, which
    // ends the process unless it is blocked here.
    sigset_t pipe_signal;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_signal, nullptr);
    Connection connection;
    milliseconds backoff = first_backoff;
    for (;;) {
      bool last = false;
      {
        std::unique_lock lock(mutex);
        ended.wait_for(lock, connection ? interval : backoff, [this] { return stopping; });
        last = stopping;
      }
      if (connection == nullptr) {
        connection = connect(options);
        backoff = connection ? first_backoff : std::min(backoff * 2, options.longest_backoff);
      }
      if (connection != nullptr) flush(connection, last);
      if (last) break;
    }
    take();  // what there was no connection for
    dropped += static_cast<std::int64_t>(taken.size());
  }

  void flush(Connection& connection, bool last) {
    take();
    const auto end = std::chrono::steady_clock::now() + patience_in_timeouts * options.timeout;
    std::span<const Entry> left = taken;
    while (!left.empty() && connection != nullptr) {
      const auto pipeline = left.first(std::min(left.size(), longest_pipeline));
      if (send(*connection, pipeline)) {
        left = left.subspan(pipeline.size());
        sent += static_cast<std::int64_t>(pipeline.size());
      } else {
        connection.reset();
      }
      if (last && std::chrono::steady_clock::now() > end) break;
    }
    dropped += static_cast<std::int64_t>(left.size());
  }
};

RedisSink::RedisSink(RedisOptions options) : parts_(std::make_unique<Parts>(std::move(options))) {
  parts_->thread = std::thread([this] { parts_->work(); });
}

RedisSink::~RedisSink() {
  {
    const std::lock_guard lock(parts_->mutex);
    parts_->stopping = true;
  }
  parts_->ended.notify_all();
  parts_->thread.join();
}

void RedisSink::observe(const Seen& seen) noexcept {
  const std::int64_t at_ms = now_ms();
  const std::unique_lock lock(parts_->mutex, std::try_to_lock);
  if (!lock.owns_lock() || parts_->waiting.size() == parts_->options.queue) {
    parts_->dropped.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  parts_->waiting.push_back({seen, at_ms});
}

std::int64_t RedisSink::sent() const {
  return parts_->sent;
}

std::int64_t RedisSink::dropped() const {
  return parts_->dropped;
}

std::int64_t RedisSink::waiting() const {
  const std::lock_guard lock(parts_->mutex);
  return static_cast<std::int64_t>(parts_->waiting.size());
}

}  // namespace torchgate::monitor
