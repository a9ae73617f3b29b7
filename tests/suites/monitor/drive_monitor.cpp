// SPDX-License-Identifier: Apache-2.0
// drive_monitor REDIS_PORT LOG sync|async SECONDS: a server under a steady load of 500 requests a second with everything that watches it.
// Prints the port of its metrics, then once a second what it counted, as JSON lines. Its state of degradation is said to change each
// second, so that there is something to publish.
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "suites/serving/monitor/monitor.hpp"
#include "suites/serving/server/arrivals.hpp"
#include "suites/serving/server/open_loop.hpp"
#include "suites/serving/server/server.hpp"

namespace {

using namespace torchgate;

constexpr double per_second = 500;

std::vector<int> model(std::span<int> inputs) {
  std::this_thread::sleep_for(std::chrono::microseconds(300));
  return {inputs.begin(), inputs.end()};
}

monitor::Seen seen_of(const serving::RequestSeen& seen) {
  return {seen.id,
          seen.latency().count(),
          static_cast<std::int64_t>(seen.batch),
          static_cast<std::int64_t>(seen.queued),
          static_cast<monitor::Outcome>(seen.outcome),
          static_cast<monitor::Model>(seen.level),
          static_cast<std::int32_t>(seen.id / static_cast<std::uint64_t>(per_second) % 2)};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: drive_monitor REDIS_PORT LOG sync|async SECONDS\n");
    return 2;
  }
  monitor::Monitor watch;
  watch.registry = std::make_unique<monitor::Registry>();
  watch.redis = std::make_unique<monitor::RedisSink>(monitor::RedisOptions{.port = std::atoi(argv[1]), .queue = 256});
  const auto mode = std::string_view(argv[3]) == "sync" ? monitor::LogMode::sync : monitor::LogMode::async;
  auto log = monitor::RequestLog::open(argv[2], {.mode = mode, .model_version = "v1"});
  if (!log) {
    std::fprintf(stderr, "drive_monitor: %s\n", log.error().message.c_str());
    return 2;
  }
  watch.log = std::move(*log);
  watch.three_sigma.emplace();
  watch.ewma.emplace();
  const auto port = watch.registry->expose(0);
  if (!port) return 2;
  std::printf("%d\n", *port);
  std::fflush(stdout);

  serving::Server<int, int> server(model, {}, {.batches = {8, std::chrono::milliseconds(2)}});
  const auto count = static_cast<std::size_t>(std::atof(argv[4]) * per_second);
  const auto arrivals = serving::poisson_arrivals(count, per_second, 1);
  std::size_t next_print = static_cast<std::size_t>(per_second);
  serving::send_open_loop(arrivals, {}, [&](std::size_t i, serving::SteadyTime scheduled) {
    server.submit(i, 1, scheduled,
                  [&](const serving::RequestSeen& seen, std::optional<int>) { watch.observe(seen_of(seen)); });
    if (i + 1 < next_print) return;
    next_print += static_cast<std::size_t>(per_second);
    std::printf("{\"completed\":%lld,\"sent\":%lld,\"dropped\":%lld}\n",
                static_cast<long long>(server.counts().completed), static_cast<long long>(watch.redis->sent()),
                static_cast<long long>(watch.redis->dropped()));
    std::fflush(stdout);
  });
  server.stop();
  return 0;
}
