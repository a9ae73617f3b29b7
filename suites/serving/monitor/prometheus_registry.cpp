// SPDX-License-Identifier: Apache-2.0
#include "suites/serving/monitor/prometheus_registry.hpp"

#include <prometheus/counter.h>
#include <prometheus/exposer.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <array>
#include <exception>

namespace torchgate::monitor {
namespace {

namespace prom = prometheus;

/// Seconds: from a model that answers at once to twenty times the 0.5 s at which a server degrades, each about twice the one before.
const prom::Histogram::BucketBoundaries latency_buckets{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
                                                        0.25,  0.5,    1.0,   2.5,  5.0,   10.0};
const prom::Histogram::BucketBoundaries batch_buckets{1, 2, 4, 8, 16, 32, 64};

constexpr std::size_t outcomes = std::size(outcome_names);
constexpr std::size_t models = std::size(model_names);

}  // namespace

struct Registry::Parts {
  std::shared_ptr<prom::Registry> registry = std::make_shared<prom::Registry>();
  std::array<std::array<prom::Counter*, models>, outcomes> requests{};
  std::array<prom::Histogram*, models> latency{};
  prom::Histogram* batch_size = nullptr;
  prom::Counter* batches = nullptr;
  prom::Gauge* queue_depth = nullptr;
  prom::Gauge* state = nullptr;
  prom::Family<prom::Counter>* alarms = nullptr;
  std::array<prom::Counter*, 2> alarm_counts{};
  std::array<prom::Gauge*, 2> drops{};
  std::unique_ptr<prom::Exposer> exposer;
};

Registry::Registry() : parts_(std::make_unique<Parts>()) {
  prom::Registry& registry = *parts_->registry;
  auto& requests = prom::BuildCounter()
                       .Name("torchgate_serving_requests_total")
                       .Help("Requests by outcome and by the model that answered")
                       .Register(registry);
  auto& latency = prom::BuildHistogram()
                      .Name("torchgate_serving_latency_seconds")
                      .Help("From the scheduled time of a request to its answer")
                      .Register(registry);
  for (std::size_t model = 0; model < models; ++model) {
    const std::string name(model_names[model]);
    parts_->latency[model] = &latency.Add({{"model", name}}, latency_buckets);
    for (std::size_t outcome = 0; outcome < outcomes; ++outcome)
      parts_->requests[outcome][model] =
          &requests.Add({{"model", name}, {"outcome", std::string(outcome_names[outcome])}});
  }
  parts_->batch_size = &prom::BuildHistogram()
                            .Name("torchgate_serving_batch_size")
                            .Help("Requests of the batch that a request was answered in")
                            .Register(registry)
                            .Add({}, batch_buckets);
  parts_->batches = &prom::BuildCounter()
                         .Name("torchgate_serving_batches_total")
                         .Help("Batches that were given to a model")
                         .Register(registry)
                         .Add({});
  parts_->queue_depth = &prom::BuildGauge()
                             .Name("torchgate_serving_queue_depth")
                             .Help("Requests that waited when the last batch began")
                             .Register(registry)
                             .Add({});
  parts_->state = &prom::BuildGauge()
                       .Name("torchgate_serving_degradation_state")
                       .Help("0 full model, 1 lite model, 2 requests are refused")
                       .Register(registry)
                       .Add({});
  auto& alarms = prom::BuildCounter()
                     .Name("torchgate_serving_alarms_total")
                     .Help("Latencies that a detector found too high")
                     .Register(registry);
  parts_->alarm_counts = {&alarms.Add({{"detector", "three_sigma"}}), &alarms.Add({{"detector", "ewma"}})};
  auto& drops = prom::BuildGauge()
                    .Name("torchgate_serving_dropped_entries")
                    .Help("Entries that a sink has lost since the start, because it was full or away")
                    .Register(registry);
  parts_->drops = {&drops.Add({{"sink", "redis"}}), &drops.Add({{"sink", "log"}})};
}

Registry::~Registry() = default;

void Registry::observe(const Seen& seen) {
  const auto model = static_cast<std::size_t>(seen.model);
  parts_->requests[static_cast<std::size_t>(seen.outcome)][model]->Increment();
  parts_->state->Set(seen.state);
  parts_->queue_depth->Set(static_cast<double>(seen.queued));
  // A monitor is told of requests, not of batches: each of the n requests of a batch adds an nth.
  if (seen.batch > 0) parts_->batches->Increment(1.0 / static_cast<double>(seen.batch));
  if (seen.outcome != Outcome::ok) return;
  constexpr double ns_per_s = 1e9;
  parts_->latency[model]->Observe(static_cast<double>(seen.latency_ns) / ns_per_s);
  parts_->batch_size->Observe(static_cast<double>(seen.batch));
}

void Registry::alarm(std::string_view detector) {
  parts_->alarm_counts[detector == "ewma" ? 1 : 0]->Increment();
}

void Registry::dropped(std::string_view sink, std::int64_t total) {
  parts_->drops[sink == "log" ? 1 : 0]->Set(static_cast<double>(total));
}

std::int64_t Registry::requests() const {
  double sum = 0;
  for (const auto& by_model : parts_->requests) {
    for (const prom::Counter* each : by_model) sum += each->Value();
  }
  return static_cast<std::int64_t>(sum);
}

std::string Registry::text() const {
  return prom::TextSerializer().Serialize(parts_->registry->Collect());
}

base::Result<int> Registry::expose(int port) {
  try {
    parts_->exposer = std::make_unique<prom::Exposer>("127.0.0.1:" + std::to_string(port), 1);
    parts_->exposer->RegisterCollectable(parts_->registry);
    return parts_->exposer->GetListeningPorts().front();
  } catch (const std::exception& error) {
    return base::Error{base::ErrorCode::io, "metrics: cannot listen on 127.0.0.1:" + std::to_string(port) + ": " +
                                                error.what() + "; choose another port"};
  }
}

}  // namespace torchgate::monitor
