// SPDX-License-Identifier: Apache-2.0
// Requests as entries of a Redis stream, for dashboards and other services. Redis may be slow or away: requests never wait for it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "suites/serving/monitor/seen.hpp"

namespace torchgate::monitor {

struct RedisOptions {
  std::string host = "127.0.0.1";
  int port = 6379;
  std::size_t queue = 4096;  ///< entries that wait; more are dropped
  std::chrono::milliseconds timeout{200};
  std::chrono::milliseconds longest_backoff{2000};
};

/// One thread of its own sends, in pipelines:
///   XADD metrics:stream MAXLEN ~ 10000 * request .. latency_ns .. outcome .. model ..
///   ZADD metrics:window <ms> <ms>:<request>, and ZREMRANGEBYSCORE of what is older than five minutes
///   PUBLISH degradation:trigger <state>    when the state is another one than the last that was published
/// Entries that do not fit into the queue, belong to a pipeline that failed or wait behind it are dropped and counted.
class RedisSink {
 public:
  explicit RedisSink(RedisOptions options);
  /// Sends what is queued, and ends: after twelve timeouts at most (one to connect, five for all pipelines, six for the last of them).
  ~RedisSink();
  RedisSink(const RedisSink&) = delete;
  RedisSink& operator=(const RedisSink&) = delete;

  /// Never blocks, never throws, does not allocate: when the queue is full, or in use at this moment, the entry is dropped.
  void observe(const Seen& seen) noexcept;

  [[nodiscard]] std::int64_t sent() const;
  [[nodiscard]] std::int64_t dropped() const;
  /// Entries in the queue. Those of a pipeline that is being sent are in none of the three.
  [[nodiscard]] std::int64_t waiting() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace torchgate::monitor
