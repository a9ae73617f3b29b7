// SPDX-License-Identifier: Apache-2.0
// Requests that come when they come: an open loop with a Poisson schedule, latencies from the scheduled times. A busy machine moves
// these times a lot: they are judged in pairs, and what the policies decide is counted in serving/overload.
#include <algorithm>
#include <chrono>
#include <iterator>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/requirements.hpp"
#include "suites/serving/model_file.hpp"
#include "suites/serving/model_server.hpp"
#include "suites/serving/server/arrivals.hpp"

namespace torchgate::suites::open_loop {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites::serving;
using torchgate::serving::BatchPolicy;
using torchgate::serving::poisson_arrivals;

constexpr std::size_t requests_per_call = 200;

ModelServer::Model built(const Args& args) {
  return model_of(network(args));
}
ModelServer::Model loaded(const Args& args) {
  return model_from_file(network(args));
}

// Requests a second that the network answers one by one, on this machine now: at a fixed rate, a faster machine has no queue, and a slower one nothing else.
// Measured once in a process: its variants have the same schedule.
double capacity(const Args& args) {
  static const double measured = [&] {
    constexpr std::size_t calls_made = 101;
    const ModelServer::Model model = built(args);
    std::vector<torch::Tensor> row{Inputs(args).normal({features})};
    std::vector<double> seconds;
    for (std::size_t call = 0; call < calls_made; ++call) {
      const auto start = std::chrono::steady_clock::now();
      (void)model(row);
      seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    const auto middle = std::next(seconds.begin(), calls_made / 2);
    std::nth_element(seconds.begin(), middle, seconds.end());
    return 1 / *middle;
  }();
  return measured;
}

Factory serve(BatchPolicy batches, ModelServer::Model (*model)(const Args&) = built) {
  return [batches, model](const Args& args) -> Timed {
    const auto requests =
        std::make_shared<Requests>(args, torchgate::serving::ServerOptions{.batches = batches}, model(args));
    constexpr double percent = 0.01;
    const double rate = static_cast<double>(args.number("load")) * percent * capacity(args);
    return [requests, arrivals = poisson_arrivals(requests_per_call, rate, args.seed())](Recorder& recorder) {
      const auto before = requests->counts();
      const OpenLoop found = requests->open_loop(arrivals, Requests::Keep::answers);
      for (const double ns : found.latencies) recorder.each("latency", ns);
      const auto after = requests->counts();
      const std::int64_t answered = after.completed - before.completed;
      const std::int64_t formed = after.batches - before.batches;
      recorder.put("batch", static_cast<double>(answered) / static_cast<double>(formed));
      recorder.put("joined", formed < answered ? 1 : 0);
      return torch::stack(found.answers);  // in the order of the requests, whatever the batches were
    };
  };
}

TORCHGATE_GROUP("batching") {
  const BatchPolicy one_millisecond{32, std::chrono::milliseconds(1)};
  constexpr int idle = 25;  // percent of what the reference can answer
  constexpr int overloaded = 150;
  const Axis load = group.axis("load", {idle, overloaded});
  group.only_full(load(idle))
      .needs("two CPUs", torchgate::suites::two_cpus)
      .samples(10)
      // Time decides which requests are in a batch, and kernels for other sizes of a batch may round otherwise.
      .without({"operator_calls", "allocations", "allocated_bytes", "peak_bytes", "retained_bytes", "output_error"})
      .measures(ns("latency").pooled().primary())
      .measures(ratio("batch").higher())
      .measures(count("joined"));  // whether a batch had more than one request

  group.reference("one_by_one", serve({1, std::chrono::nanoseconds(0)}))
      .proves(metric("joined") == 0)
      .proves(calls("aten::t") >= 1);
  group.variant("timeout_1ms", serve(one_millisecond))
      .proves(metric("joined") == 1)
      .claims(p95("latency") <= 0.6 * reference(), load(overloaded));
  group.variant("timeout_10ms", serve({32, std::chrono::milliseconds(10)})).only_full().proves(metric("joined") == 1);
  // The weights in the file are transposed already.
  group.variant("loaded_1ms", serve(one_millisecond, loaded))
      .quick(none)
      .proves(metric("joined") == 1)
      .proves(calls("aten::relu") >= 1)
      .proves(calls("aten::t") == 0)
      .claims(p95("latency") <= 0.6 * reference(), load(overloaded));
}

}  // namespace
}  // namespace torchgate::suites::open_loop
