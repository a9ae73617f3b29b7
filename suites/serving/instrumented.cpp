// SPDX-License-Identifier: Apache-2.0
// What watching a server costs: a call is a closed loop of requests, each seen by the parts of a monitor.
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
  std::uint64_t next_id = 0;  // after the largest that was seen; used by the worker
  Requests requests;

  explicit Watched(const Args& args) : requests(args, {.batches = {1, {}}}) {}
};

using Equip = std::function<void(Watched&)>;

Factory watched(Equip equip) {
  return [equip = std::move(equip)](const Args& args) -> Timed {
    const auto watched = std::make_shared<Watched>(args);
    equip(*watched);
    return [watched](Recorder& recorder) {
      Monitor& monitor = watched->monitor;
      const std::int64_t before = monitor.observations();
      int new_ids = 0;
      const double sum = watched->requests.closed_loop(requests_per_call, [&](const RequestSeen& seen) {
        monitor.observe(seen_of(seen));
        if (seen.id < watched->next_id) return;
        watched->next_id = seen.id + 1;
        ++new_ids;
      });
      recorder.put("observations", static_cast<double>(monitor.observations() - before));
      recorder.put("new_ids", new_ids);
      recorder.put("sent_to_redis", monitor.redis == nullptr ? 0 : static_cast<double>(monitor.redis->sent()));
      return sum;
    };
  };
}

void with_registry(Watched& watched) {
  watched.monitor.registry = std::make_unique<torchgate::monitor::Registry>();
}
void with_detectors(Watched& watched) {
  watched.monitor.three_sigma.emplace();
  watched.monitor.ewma.emplace();
}

constexpr int every_request = 10'000;
constexpr int one_in_a_hundred = 100;

Equip with_log(LogMode mode, int share) {
  return [mode, share](Watched& watched) {
    auto log = torchgate::monitor::RequestLog::open(watched.folder.add("requests.jsonl"),
                                                    {.mode = mode, .share = share, .model_version = "v1"});
    if (!log) throw std::runtime_error(log.error().message);
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
      .measures(count("sent_to_redis"))
      .without({"allocations", "allocated_bytes", "peak_bytes", "retained_bytes"});

  constexpr int once = requests_per_call;
  constexpr int twice = 2 * requests_per_call;
  group.reference("none", watched([](Watched&) {})).proves(metric("observations") == 0);
  group.variant("registry", watched(with_registry))
      .proves(metric("observations") == once)
      .claims(time() <= 1.2 * reference());
  group.variant("detectors", watched(with_detectors)).only_full().proves(metric("observations") == twice);
  group.variant("log_async", watched(with_log(LogMode::async, every_request)))
      .quick(none)
      .proves(metric("observations") == once);
  group.variant("log_sync", watched(with_log(LogMode::sync, every_request)))
      .only_full()
      .proves(metric("observations") == once);
  group.variant("log_sampled", watched(with_log(LogMode::async, one_in_a_hundred)))
      .proves(metric("observations") == once)
      .proves(metric("new_ids") == once)
      .claims(time() <= 1.2 * reference());
  group.variant("registry_log_sampled", watched(with_registry_and_log))
      .proves(metric("observations") == twice)
      .proves(metric("new_ids") == once)
      .claims(time() <= 1.1 * reference());
  group.variant("redis_down", watched(with_redis_down))
      .quick(none)
      .proves(metric("observations") == once)
      .proves(metric("sent_to_redis") == 0)
      .claims(time() <= 1.2 * reference());
}

}  // namespace
}  // namespace torchgate::suites::instrumented
