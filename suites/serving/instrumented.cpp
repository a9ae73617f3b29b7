// SPDX-License-Identifier: Apache-2.0
// What watching a server costs: a call is a closed loop of requests, each seen by the parts of a monitor.
#include <chrono>
#include <stdexcept>
#include <thread>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/requirements.hpp"
#include "suites/common/temporary_folder.hpp"
#include "suites/serving/model_server.hpp"
#include "suites/serving/monitor/monitor.hpp"
#include "suites/serving/seen_of.hpp"

namespace torchgate::suites::instrumented {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites::serving;
using torchgate::monitor::LogMode;
using torchgate::monitor::Monitor;

constexpr int requests_per_call = 50;

struct Watched {
  torchgate::suites::TemporaryFolder folder;
  Monitor monitor;
  std::uint64_t next_id = 0;     // after the largest that was seen; used by the worker
  bool writes_in_calls = false;  // the lines of an asynchronous log are written when its thread is woken
  Requests requests;

  explicit Watched(const Args& args) : requests(args, {.batches = {1, {}}}) {}
};

using Equip = std::function<void(Watched&)>;

/// What the parts have done so far, beside being called.
struct Effects {
  std::int64_t registered = 0;  ///< requests in the registry's counters
  std::int64_t written = 0;     ///< lines in the file of the log
  std::int64_t for_redis = 0;   ///< entries that were sent, that wait, and that were dropped

  explicit Effects(const Monitor& monitor) {
    if (monitor.registry != nullptr) registered = monitor.registry->requests();
    if (monitor.log != nullptr) written = monitor.log->written();
    if (const auto* redis = monitor.redis.get()) for_redis = redis->sent() + redis->waiting() + redis->dropped();
  }
};

Factory watched(Equip equip) {
  return [equip = std::move(equip)](const Args& args) -> Timed {
    const auto watched = std::make_shared<Watched>(args);
    equip(*watched);
    return [watched](Recorder& recorder) {
      Monitor& monitor = watched->monitor;
      const std::int64_t before = monitor.observations();
      const Effects effects_before(monitor);
      int new_ids = 0;
      const double sum = watched->requests.closed_loop(requests_per_call, [&](const RequestSeen& seen) {
        monitor.observe(seen_of(seen));
        if (seen.id < watched->next_id) return;
        watched->next_id = seen.id + 1;
        ++new_ids;
      });
      recorder.put("observations", static_cast<double>(monitor.observations() - before));
      recorder.put("new_ids", new_ids);
      const Effects effects(monitor);
      recorder.put("registered", static_cast<double>(effects.registered - effects_before.registered));
      if (watched->writes_in_calls)
        recorder.put("written", static_cast<double>(effects.written - effects_before.written));
      recorder.put("unwritable", monitor.log == nullptr ? 0 : static_cast<double>(monitor.log->failed()));
      recorder.put("for_redis", static_cast<double>(effects.for_redis - effects_before.for_redis));
      recorder.put("sent_to_redis", monitor.redis == nullptr ? 0 : static_cast<double>(monitor.redis->sent()));
      return sum;
    };
  };
}

void with_registry(Watched& watched) {
  watched.monitor.registry = std::make_unique<torchgate::monitor::Registry>();
}

// Untimed: each detector learns, and then has to find a request that takes ten times as long.
template <class Detector>
void require_alarm(Detector detector) {
  constexpr int learned = 200;  // twice what either learns from
  constexpr double usual_ns = 100'000;
  for (int i = 0; i < learned; ++i) detector.observe(usual_ns + i % 10);
  constexpr int slow = 10;
  for (int i = 0; i < slow; ++i) {
    if (detector.observe(10 * usual_ns).alarm) return;
  }
  throw std::runtime_error("a detector does not find requests that take ten times as long");
}

void with_detectors(Watched& watched) {
  watched.monitor.three_sigma.emplace();
  watched.monitor.ewma.emplace();
  require_alarm(*watched.monitor.three_sigma);
  require_alarm(*watched.monitor.ewma);
}

constexpr int every_request = 10'000;
constexpr int one_in_a_hundred = 100;

// Untimed: a log that writes nothing costs nothing. Its thread writes when it is woken, so that a call of a few requests does not show it.
void require_written(torchgate::monitor::RequestLog& log, int share) {
  constexpr std::uint64_t lines = 64;  // four times what is written at once
  for (std::uint64_t id = 0; id < lines * every_request / static_cast<std::uint64_t>(share); ++id)
    log.observe({.id = id});
  constexpr std::chrono::seconds longest{60};  // a busy machine stalls a thread for seconds
  const auto end = std::chrono::steady_clock::now() + longest;
  while (log.written() + log.failed() == 0 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  if (log.written() == 0)
    throw std::runtime_error("the request log wrote no line to the folder for temporary files; check the space there");
}

Equip with_log(LogMode mode, int share) {
  return [mode, share](Watched& watched) {
    auto log = torchgate::monitor::RequestLog::open(watched.folder.add("requests.jsonl"),
                                                    {.mode = mode, .share = share, .model_version = "v1"});
    if (!log) throw std::runtime_error(log.error().message);
    require_written(**log, share);
    watched.writes_in_calls = mode == LogMode::sync;
    watched.monitor.log = std::move(*log);
  };
}
void with_registry_and_log(Watched& watched) {
  with_registry(watched);
  with_log(LogMode::async, one_in_a_hundred)(watched);
}
// No server listens on that port: entries are queued, and dropped when the queue is full, after some 80 calls. What a running Redis receives is tested end
// to end, and what the request's thread takes beside one is measured by ci/scripts/bench.sh serving.
void with_redis_down(Watched& watched) {
  watched.monitor.redis = std::make_unique<torchgate::monitor::RedisSink>(torchgate::monitor::RedisOptions{.port = 1});
}

TORCHGATE_GROUP("instrumented") {
  group.items([](const Args&) { return static_cast<double>(requests_per_call); })
      .needs("two CPUs", torchgate::suites::two_cpus)
      .measures(count("observations"))  // of requests, once for each part of the monitor
      .measures(count("new_ids"))       // of requests: a sample is chosen by them
      .measures(count("registered"))
      .measures(count("unwritable"))
      .measures(count("for_redis"))
      .measures(count("sent_to_redis"))
      .without({"allocations", "allocated_bytes", "peak_bytes", "retained_bytes"});

  constexpr int once = requests_per_call;
  constexpr int twice = 2 * requests_per_call;
  group.reference("none", watched([](Watched&) {})).proves(metric("observations") == 0);
  group.variant("registry", watched(with_registry))
      .proves(metric("observations") == once)
      .proves(metric("registered") == once)
      .claims(time() <= 1.2 * reference());
  group.variant("detectors", watched(with_detectors)).only_full().proves(metric("observations") == twice);
  group.variant("log_async", watched(with_log(LogMode::async, every_request)))
      .quick(none)
      .proves(metric("observations") == once)
      .proves(metric("unwritable") == 0);
  group.variant("log_sync", watched(with_log(LogMode::sync, every_request)))
      .only_full()
      .proves(metric("observations") == once)
      .measures(count("written"))
      .proves(metric("written") == once)
      .proves(metric("unwritable") == 0);
  group.variant("log_sampled", watched(with_log(LogMode::async, one_in_a_hundred)))
      .proves(metric("observations") == once)
      .proves(metric("new_ids") == once)
      .proves(metric("unwritable") == 0)
      .claims(time() <= 1.2 * reference());
  group.variant("registry_log_sampled", watched(with_registry_and_log))
      .proves(metric("observations") == twice)
      .proves(metric("new_ids") == once)
      .proves(metric("registered") == once)
      .proves(metric("unwritable") == 0)
      .claims(time() <= 1.1 * reference());
  group.variant("redis_down", watched(with_redis_down))
      .quick(none)
      .proves(metric("observations") == once)
      .proves(metric("for_redis") == once)
      .proves(metric("sent_to_redis") == 0)
      .claims(time() <= 1.2 * reference());
}

}  // namespace
}  // namespace torchgate::suites::instrumented
