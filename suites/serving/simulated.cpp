// SPDX-License-Identifier: Apache-2.0
// What the policies of the server decide, in simulated time: the same counts on every machine and in every run, compared exactly.
#include <cmath>
#include <string>

#include "harness/bench/torch/suite.hpp"
#include "suites/serving/server/arrivals.hpp"
#include "suites/serving/server/canary.hpp"
#include "suites/serving/server/simulation.hpp"

namespace torchgate::suites::simulated {
namespace {

using namespace torchgate::bench;
using namespace torchgate::serving;
using std::chrono::milliseconds;

// 2 ms for a batch and 1 ms for each request of it; the lite model needs a quarter.
nanoseconds model_time(std::size_t batch, Level level) {
  const auto full = milliseconds(2) + milliseconds(1) * static_cast<std::int64_t>(batch);
  return level == Level::lite ? nanoseconds(full) / 4 : nanoseconds(full);
}

constexpr std::size_t requests = 4000;

// 1.5 times what batches of 32 can answer: 32 requests in 34 ms.
Factory overload(bool degrades) {
  return [degrades](const Args& args) -> Timed {
    SimulatedServer server;
    server.model_time = model_time;
    server.queue_limit = 1'000'000;
    if (degrades) server.degradation.emplace();
    const double capacity = 32 / 0.034;
    return [server, arrivals = poisson_arrivals(requests, 1.5 * capacity, args.seed())](Recorder& recorder) {
      const SimulatedLoad load = simulate(arrivals, server);
      recorder.put("late", static_cast<double>(load.late(milliseconds(500))));
      recorder.put("shed", static_cast<double>(load.shed));
      recorder.put("lite", static_cast<double>(load.lite));
      recorder.put("batches", static_cast<double>(load.batches));
      return static_cast<double>(load.latencies.size() + static_cast<std::size_t>(load.shed));
    };
  };
}

TORCHGATE_GROUP("overload") {
  group.items([](const Args&) { return static_cast<double>(requests); })
      .measures(count("late"))
      .measures(count("shed"))
      .measures(count("lite"))
      .measures(count("batches"))
      .gates("late");

  // A request that is refused is not late: fewer late answers count only while all are answered.
  group.reference("full_only", overload(false)).proves(metric("shed") == 0).proves(metric("lite") == 0);
  group.variant("degrading", overload(true))
      .proves(metric("shed") == 0)
      .proves(metric("lite") >= 1)
      .claims(metric("late") <= 0.6 * reference());
}

// Batches that are as large as they may be take too long for the target of 100 ms: a slow model, 4 ms for each request.
Factory paced(bool adaptive) {
  return [adaptive](const Args& args) -> Timed {
    SimulatedServer server;
    server.model_time = [](std::size_t batch, Level) {
      return nanoseconds(milliseconds(2) + milliseconds(4) * static_cast<std::int64_t>(batch));
    };
    server.batches = {32, milliseconds(60)};
    server.queue_limit = 1'000'000;
    if (adaptive) server.pacing = PacingPolicy{.batches_per_step = 20};
    return [server, arrivals = poisson_arrivals(requests, 200, args.seed())](Recorder& recorder) {
      const SimulatedLoad load = simulate(arrivals, server);
      recorder.put("violations", static_cast<double>(load.late(milliseconds(100))));
      recorder.put("batches", static_cast<double>(load.batches));
      return static_cast<double>(load.latencies.size());
    };
  };
}

TORCHGATE_GROUP("pacing") {
  group.items([](const Args&) { return static_cast<double>(requests); })
      .measures(count("violations"))
      .measures(count("batches"));

  group.reference("fixed", paced(false));
  group.variant("adaptive", paced(true)).claims(metric("violations") <= 0.7 * reference());
}

// A rollout of a model that is `percent` slower, on latencies that vary by 15 % and share a load that changes slowly.
Timed rollout(const Args& args) {
  const double factor = 1 + static_cast<double>(args.number("percent")) / 100;
  return [factor, seed = args.seed()](Recorder& recorder) {
    constexpr std::int64_t most_requests = 40'000;
    const auto gaps = poisson_arrivals(static_cast<std::size_t>(most_requests), 1.0, seed);
    Canary canary;
    for (std::int64_t i = 0; i < most_requests && canary.state() == CanaryState::running; ++i) {
      const bool is_new = canary.routes(std::to_string(i));
      const double load = 1 + 0.3 * std::sin(static_cast<double>(i) / 3000);
      // The gaps of the schedule are the noise: independent, and the same on every machine.
      const auto k = static_cast<std::size_t>(i);
      const double gap_s = static_cast<double>((gaps[k] - (k > 0 ? gaps[k - 1] : nanoseconds(0))).count()) / 1e9;
      const double noise = 1 + 0.15 * (gap_s - 1);
      canary.observe(is_new, 10e6 * load * noise * (is_new ? factor : 1.0));
    }
    recorder.put("requests", static_cast<double>(canary.requests()));
    recorder.put("exposed", static_cast<double>(canary.exposed()));
    recorder.put("rolled_back", canary.state() == CanaryState::rolled_back ? 1 : 0);
    return static_cast<double>(canary.stage());
  };
}

TORCHGATE_GROUP("canary") {
  const Axis percent = group.axis("percent", {0, 30});
  group.measures(count("requests")).measures(count("exposed")).measures(count("rolled_back"));

  group.sweep("rollout", rollout)
      .proves(metric("rolled_back") == 0, percent(0))
      .proves(metric("rolled_back") == 1, percent(30));
}

}  // namespace
}  // namespace torchgate::suites::simulated
