// SPDX-License-Identifier: Apache-2.0
// What each part of a monitor takes on the thread of the request: ns for one observation, the median of 200 rounds of 1,000. For Redis
// also with no server, and how many entries a running one received.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "suites/serving/monitor/monitor.hpp"

namespace {

using namespace torchgate::monitor;

void print(const char* name, const std::function<void(const Seen&)>& observe) {
  constexpr int rounds = 200;
  constexpr int per_round = 1000;
  std::vector<double> ns;
  std::uint64_t id = 0;
  for (int round = 0; round < rounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < per_round; ++i)
      observe({++id, 100'000 + static_cast<std::int64_t>(id % 977), 4, 2, Outcome::ok, Model::full, 0});
    ns.push_back(std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() /
                 per_round);
  }
  std::nth_element(ns.begin(), ns.begin() + rounds / 2, ns.end());
  std::printf("%-12s %6.0f ns\n", name, ns[rounds / 2]);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3) {
    std::fprintf(stderr, "usage: time_monitor FOLDER [REDIS_PORT]\n");
    return 2;
  }
  const std::string folder = argv[1];
  Registry registry;
  print("registry", [&](const Seen& seen) { registry.observe(seen); });
  ThreeSigma three_sigma;
  print("three sigma", [&](const Seen& seen) { three_sigma.observe(static_cast<double>(seen.latency_ns)); });
  Ewma ewma;
  print("ewma", [&](const Seen& seen) { ewma.observe(static_cast<double>(seen.latency_ns)); });
  for (const LogMode mode : {LogMode::async, LogMode::sync}) {
    const bool async = mode == LogMode::async;
    auto log = RequestLog::open(folder + (async ? "/async" : "/sync"), {.mode = mode, .model_version = "v1"});
    if (!log) return 2;
    print(async ? "log async" : "log sync", [&](const Seen& seen) { (*log)->observe(seen); });
  }
  RedisSink away({.port = 1, .queue = 1 << 20});
  print("redis away", [&](const Seen& seen) { away.observe(seen); });
  if (argc == 3) {
    RedisSink redis({.port = std::atoi(argv[2]), .queue = 1 << 20});
    print("redis", [&](const Seen& seen) { redis.observe(seen); });
    constexpr std::int64_t observed = 200'000;
    for (int i = 0; i < 500 && redis.sent() + redis.dropped() < observed; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::printf("%-12s %lld entries, %lld lost\n", "taken", static_cast<long long>(redis.sent()),
                static_cast<long long>(redis.dropped()));
  }
  return 0;
}
