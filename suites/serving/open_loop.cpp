// SPDX-License-Identifier: Apache-2.0
// Requests that come when they come: an open loop with a Poisson schedule, latencies from the scheduled times. A busy machine moves
// these times a lot: they are judged in pairs, and what the policies decide is counted in serving/overload.
#include "harness/bench/torch/suite.hpp"
#include "suites/common/requirements.hpp"
#include "suites/serving/model_server.hpp"
#include "suites/serving/server/arrivals.hpp"

namespace {

using namespace torchgate::bench;
using namespace torchgate::suites::serving;
using torchgate::serving::BatchPolicy;
using torchgate::serving::poisson_arrivals;

constexpr std::size_t requests_per_call = 200;

Factory serve(BatchPolicy batches) {
  return [batches](const Args& args) -> Timed {
    const auto requests = std::make_shared<Requests>(args, torchgate::serving::ServerOptions{.batches = batches});
    const auto rate = static_cast<double>(args.number("rate"));
    return [requests, arrivals = poisson_arrivals(requests_per_call, rate, args.seed())](Recorder& recorder) {
      const auto before = requests->counts();
      double sum = 0;
      for (const double ns : requests->open_loop(arrivals)) {
        recorder.each("latency", ns);
        sum += 1;
      }
      const auto after = requests->counts();
      recorder.put("batch", static_cast<double>(after.completed - before.completed) /
                                static_cast<double>(after.batches - before.batches));
      return sum;  // every request was answered
    };
  };
}

TORCHGATE_GROUP("batching") {
  const Axis rate = group.axis("rate", {2000, 12000});
  group.only_full(rate(2000))
      .needs("two CPUs", torchgate::suites::two_cpus)
      .samples(10)
      .without({"operator_calls", "allocations", "allocated_bytes", "peak_bytes", "retained_bytes"})
      .measures(ns("latency").pooled().primary())
      .measures(ratio("batch").higher());

  group.reference("one_by_one", serve({1, std::chrono::nanoseconds(0)}));
  group.variant("timeout_1ms", serve({32, std::chrono::milliseconds(1)}))
      .claims(p95("latency") <= 0.6 * reference(), rate(12000));
  group.variant("timeout_10ms", serve({32, std::chrono::milliseconds(10)})).quick(none);
}

// Many requests in one process, at a rate at which they seldom meet: jitter, and what grows with time. A service time is added to the
// wait of one request in sixteen, whatever the machine: the rate is a sixteenth of what one worker can answer.
constexpr std::int64_t soak_rate = 250;
constexpr int soak_samples = 5;

Timed soak(const Args& args) {
  const auto requests = std::make_shared<Requests>(args, torchgate::serving::ServerOptions{.batches = {1, {}}});
  const auto count = static_cast<std::size_t>(args.number("seconds") * soak_rate / soak_samples);
  return [requests, arrivals = poisson_arrivals(count, soak_rate, args.seed())](Recorder& recorder) {
    double answered = 0;
    for (const double ns : requests->open_loop(arrivals)) {
      recorder.each("latency", ns);
      answered += 1;
    }
    return answered;
  };
}

TORCHGATE_GROUP("soak") {
  const Axis seconds = group.axis("seconds", {2, 60});
  group.quick(none)
      .only_full(seconds(60))
      .needs("two CPUs", torchgate::suites::two_cpus)
      .samples(soak_samples)
      .without({"operator_calls", "allocations", "allocated_bytes", "peak_bytes", "retained_bytes"})
      .measures(ns("latency").pooled().primary());

  group.sweep("open_loop", soak).claims(p99("latency") <= 2.0 * own(metric("latency")));
}

}  // namespace
