// SPDX-License-Identifier: Apache-2.0
#include "suites/serving/server/simulation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "suites/serving/server/arrivals.hpp"

namespace torchgate::serving {
namespace {

using std::chrono::milliseconds;

std::vector<nanoseconds> at_ms(std::initializer_list<int> times) {
  std::vector<nanoseconds> all;
  for (const int time : times) all.emplace_back(milliseconds(time));
  return all;
}

SimulatedServer takes_10_ms() {
  SimulatedServer server;
  server.batches = {4, milliseconds(5)};
  server.model_time = [](std::size_t, Level level) {
    return level == Level::lite ? milliseconds(2) : milliseconds(10);
  };
  return server;
}

TEST(Simulation, FormsBatchesAsTheServerDoes) {
  // 0 and 3 form a batch at 5, which ends at 15; 6, 7, 8, 9 are then a full one; 10 runs alone at 25: it is older than 5 ms by then.
  const SimulatedLoad load = simulate(at_ms({0, 3, 6, 7, 8, 9, 10}), takes_10_ms());
  EXPECT_EQ(load.batches, 3);
  EXPECT_EQ(load.latencies, at_ms({15, 12, 19, 18, 17, 16, 25}));
  EXPECT_EQ(load.late(milliseconds(17)), 3);
}

TEST(Simulation, RefusesWhatTheQueueDoesNotHold) {
  SimulatedServer server = takes_10_ms();
  server.queue_limit = 2;
  server.batches = {1, {}};
  const SimulatedLoad load = simulate(at_ms({0, 1, 2, 3, 4}), server);
  EXPECT_EQ(load.shed, 2);
  EXPECT_EQ(load.latencies, at_ms({10, 19, 28}));
}

// An M/D/1 queue: one request at a time, constant service s, load rho. Mean wait = rho s / (2 (1 - rho)) (Pollaczek, Khinchine).
TEST(Simulation, HasTheMeanWaitOfQueueingTheory) {
  SimulatedServer server;
  server.batches = {1, {}};
  server.queue_limit = 1'000'000;
  server.model_time = [](std::size_t, Level) { return nanoseconds(1'000'000); };
  for (const double load : {0.3, 0.6, 0.8}) {
    const auto arrivals = poisson_arrivals(400'000, 1000 * load, 5);
    const SimulatedLoad simulated = simulate(arrivals, server);
    double sum_ms = 0;
    for (const nanoseconds latency : simulated.latencies) sum_ms += static_cast<double>(latency.count()) / 1e6;
    const double wait_ms = sum_ms / static_cast<double>(simulated.latencies.size()) - 1;
    EXPECT_NEAR(wait_ms / (load / (2 * (1 - load))), 1, 0.03) << load;
  }
}

TEST(Simulation, UnderOverloadTheLiteModelKeepsLatenciesLow) {
  SimulatedServer plain = takes_10_ms();
  plain.batches = {1, {}};
  plain.queue_limit = 100'000;
  SimulatedServer degrading = plain;
  degrading.degradation = DegradationPolicy{};
  const auto arrivals = poisson_arrivals(3000, 150, 9);  // 1.5 times what the full model answers
  const SimulatedLoad without = simulate(arrivals, plain);
  const SimulatedLoad with = simulate(arrivals, degrading);
  EXPECT_EQ(without.latencies.size(), 3000U);
  EXPECT_LT(2 * with.late(milliseconds(1000)), without.late(milliseconds(1000)));
  EXPECT_GT(with.lite, 0);
}

}  // namespace
}  // namespace torchgate::serving
