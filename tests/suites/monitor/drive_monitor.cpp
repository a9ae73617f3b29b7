// SPDX-License-Identifier: Apache-2.0
// drive_monitor REDIS_PORT LOG sync|async SECONDS: a server under a steady load of 500 requests a second with everything that watches it.
// Prints the port of its metrics, then once a second what it counted, as JSON lines. Once a second more requests come at once than fit into
// its queue: some are refused, and the lite model answers until the queue is short again.
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "suites/serving/monitor/monitor.hpp"
#include "suites/serving/seen_of.hpp"
#include "suites/serving/server/arrivals.hpp"
#include "suites/serving/server/open_loop.hpp"
#include "suites/serving/server/server.hpp"

namespace {

using namespace torchgate;

constexpr double per_second = 500;

constexpr std::size_t longest_queue = 256;
constexpr std::size_t burst = 300;

std::vector<int> slow(std::span<int> inputs) {
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  return {inputs.begin(), inputs.end()};
}
std::vector<int> lite(std::span<int> inputs) {
  std::this_thread::sleep_for(std::chrono::microseconds(300));
  return {inputs.begin(), inputs.end()};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: drive_monitor REDIS_PORT LOG sync|async SECONDS\n");
    return 2;
  }
  monitor::Monitor watch;
  watch.registry = std::make_unique<monitor::Registry>();
  watch.redis = std::make_unique<monitor::RedisSink>(monitor::RedisOptions{.port = std::atoi(argv[1]), .queue = 1024});
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

  serving::ServerOptions options{.batches = {8, std::chrono::milliseconds(2)}, .queue_limit = longest_queue};
  options.degradation.emplace();
  options.degradation->enter_above = std::chrono::milliseconds(20);
  options.degradation->shed_above = std::chrono::hours(1);  // what does not fit into the queue is refused
  options.on_shed = [&](const serving::RequestSeen& seen) { watch.observe(suites::serving::seen_of(seen)); };
  serving::Server<int, int> server(slow, lite, options);
  const auto answer = [&](const serving::RequestSeen& seen, std::optional<int>) {
    watch.observe(suites::serving::seen_of(seen));
  };
  const auto count = static_cast<std::size_t>(std::atof(argv[4]) * per_second);
  const auto arrivals = serving::poisson_arrivals(count, per_second, 1);
  std::size_t next_burst = static_cast<std::size_t>(per_second);
  serving::send_open_loop(arrivals, {}, [&](std::size_t i, serving::SteadyTime scheduled) {
    server.submit(i, 1, scheduled, answer);
    if (i + 1 < next_burst) return;
    next_burst += static_cast<std::size_t>(per_second);
    for (std::size_t more = 0; more < burst; ++more) server.submit(count + i + more, 1, scheduled, answer);
    const serving::ServerCounts counts = server.counts();
    std::printf("{\"completed\":%lld,\"shed\":%lld,\"lite\":%lld,\"sent\":%lld,\"dropped\":%lld}\n",
                static_cast<long long>(counts.completed), static_cast<long long>(counts.shed),
                static_cast<long long>(counts.lite), static_cast<long long>(watch.redis->sent()),
                static_cast<long long>(watch.redis->dropped()));
    std::fflush(stdout);
  });
  server.stop();
  return 0;
}
