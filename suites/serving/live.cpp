// SPDX-License-Identifier: Apache-2.0
// The policies of the server on a server that runs, with LibTorch models: that they act, and that they let go again. How much they gain is
// counted in simulated time (simulated.cpp), because here every count depends on the machine. Nightly.
#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/requirements.hpp"
#include "suites/serving/model_server.hpp"
#include "suites/serving/server/canary.hpp"
#include "suites/serving/server/pacer.hpp"

namespace torchgate::suites::live {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites::serving;
using namespace torchgate::serving;
using std::chrono::milliseconds;

/// More requests at once than the queue of any healthy server holds: they wait for tens of milliseconds.
constexpr int burst = 4000;
/// Requests one after the other, until the server is as it was before: it needs tens of them.
constexpr int patience = 2000;

void put(Recorder& recorder, bool acted, bool recovered) {
  recorder.put("acted", acted ? 1 : 0);
  recorder.put("recovered", recovered ? 1 : 0);
}

// Overload: the lite model answers; then the full one again.
Timed degradation(const Args& args) {
  DegradationPolicy policy;
  policy.enter_above = milliseconds(5);
  policy.shed_above = milliseconds(10'000);  // refusing is counted in serving/overload
  const auto requests = std::make_shared<Requests>(
      args, ServerOptions{.batches = {8, {}}, .queue_limit = 2 * burst, .degradation = policy});
  return [requests](Recorder& recorder) {
    const std::int64_t lite_before = requests->counts().lite;
    requests->burst(burst, {});
    const bool acted = requests->counts().lite > lite_before;
    Level last = Level::lite;
    for (int i = 0; i < patience && last == Level::lite; ++i)
      requests->closed_loop(1, [&](const RequestSeen& seen) { last = seen.level; });
    put(recorder, acted, last == Level::full && requests->server().state() == ServingState::full);
  };
}

// The burst takes longer than the target: batches shrink; then they are as large as before again.
Timed pacing(const Args& args) {
  const BatchPolicy full{32, milliseconds(2)};
  const auto requests = std::make_shared<Requests>(args, ServerOptions{.batches = full, .queue_limit = 2 * burst});
  PacingPolicy policy;
  policy.target = milliseconds(30);
  policy.batches_per_step = 5;
  const auto pacer = std::make_shared<Pacer<ModelServer>>(requests->server(), policy);
  return [requests, pacer, full](Recorder& recorder) {
    const auto watch = [&](const RequestSeen& seen) { pacer->observe(seen); };
    requests->burst(burst, watch);
    const bool acted = requests->server().batches().largest < full.largest;
    for (int i = 0; i < patience && requests->server().batches().largest < full.largest; ++i)
      requests->closed_loop(1, watch);
    put(recorder, acted, requests->server().batches().largest == full.largest);
  };
}

// A router over two servers. The new model takes 30 % longer: it is rolled back, and then no request reaches it. Judged by the time that the
// model takes, because requests are sent a hundred at a time: one by one, thousands of them would take minutes on a busy machine.
Timed canary(const Args& args) {
  constexpr std::size_t at_a_time = 100;
  constexpr std::size_t most_requests = 40'000;
  constexpr double slower = 1.3;
  const ServerOptions options{.batches = {1, {}}};
  const auto old_model = std::make_shared<Requests>(args, options);
  const auto new_model = std::make_shared<Requests>(args, options, slowed(model_of(network(args)), slower));
  return [old_model, new_model](Recorder& recorder) {
    Canary canary(CanaryPolicy{.requests_per_pair = 3});
    std::size_t id = 0;
    const auto send = [&] {
      std::array<double, at_a_time> ns{};
      std::array<bool, at_a_time> is_new{};
      std::atomic<std::size_t> answered{0};
      for (std::size_t i = 0; i < at_a_time; ++i) {
        is_new[i] = canary.routes(std::to_string(++id));
        (is_new[i] ? new_model : old_model)->send(id, [&ns, &answered, i](const RequestSeen& seen) {
          ns[i] = static_cast<double>((seen.finished - seen.started).count());
          answered.fetch_add(1);
        });
      }
      while (answered.load() < at_a_time) std::this_thread::yield();
      for (std::size_t i = 0; i < at_a_time; ++i) canary.observe(is_new[i], ns[i]);
    };
    while (canary.state() == CanaryState::running && id < most_requests) send();
    const bool rolled_back = canary.state() == CanaryState::rolled_back;
    const std::int64_t before = new_model->counts().completed;
    send();
    put(recorder, rolled_back, new_model->counts().completed == before);
  };
}

Timed policy(const Args& args) {
  const std::string kind = args.text("policy");
  if (kind == "degradation") return degradation(args);
  return kind == "pacing" ? pacing(args) : canary(args);
}

TORCHGATE_GROUP("live") {
  group.axis("policy", {"degradation", "pacing", "canary"});
  group.only_full()
      .needs("two CPUs", torchgate::suites::two_cpus)
      .samples(5)
      .without({"operator_calls", "allocations", "allocated_bytes", "peak_bytes", "retained_bytes"})
      .measures(count("acted"))
      .measures(count("recovered"));

  group.sweep("server", policy).proves(metric("acted") == 1).proves(metric("recovered") == 1);
}

}  // namespace
}  // namespace torchgate::suites::live
