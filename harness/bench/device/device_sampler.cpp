// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/device/device_sampler.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "harness/base/counted.hpp"
#include "harness/bench/device/throttle_guard.hpp"

namespace torchgate::bench {
namespace {

// The fastest of this many trials decides whether a batch is long enough, so that an interrupt does not shorten the
// batch.
constexpr std::size_t trials = 3;
// A call that took 1 s by the host's clock is assumed to hang only after more than 10 s.
constexpr std::int64_t patience = 10;

template <class T>
T must(base::Result<T> result, const char* what) {
  if (!result) throw std::runtime_error(result.error().within(what).message);
  if constexpr (!std::is_void_v<T>) return std::move(result).value();
}

// Frees the graph's memory in every case.
class GraphOwner {
 public:
  explicit GraphOwner(Device& device) : device_(device) {}
  ~GraphOwner() { device_.drop_graph(); }
  GraphOwner(const GraphOwner&) = delete;
  GraphOwner& operator=(const GraphOwner&) = delete;

 private:
  Device& device_;
};

}  // namespace

DeviceSampler::DeviceSampler(Device& device, DeviceWork call, std::int64_t call_ns, const DeviceSettings& settings,
                             const SamplerSettings& counts, Clock& clock)
    : device_(device),
      call_(std::move(call)),
      call_ns_(std::max<std::int64_t>(1, call_ns)),
      settings_(settings),
      counts_(counts),
      clock_(clock) {}

DeviceSeries DeviceSampler::cold() {
  return series(call_, 1, Cache::flushed);
}

DeviceSeries DeviceSampler::hot() {
  return series(call_, 1, Cache::as_it_is);
}

GraphSeries DeviceSampler::graph() {
  const auto calls = [this](std::int64_t count) {
    return [this, count] {
      for (std::int64_t i = 0; i < count; ++i) call_();
    };
  };
  must(device_.rehearse(calls(settings_.warmup_calls)), "calling it on the captured stream");
  must(device_.record(Mark::end), "recording an event");
  finish("the calls before the capture", settings_.warmup_calls);

  const GraphOwner owner(device_);
  GraphSeries graph;
  const std::int64_t begin = clock_.wall_ns();
  must(device_.capture(calls(settings_.calls_per_graph)), "its calls cannot be captured into a graph");
  must(device_.instantiate(), "instantiating its graph");
  graph.build_ns = static_cast<double>(clock_.wall_ns() - begin);
  graph.nodes = must(device_.graph_nodes(), "counting the nodes of its graph");
  const DeviceWork replay = [this] { must(device_.replay(), "replaying its graph"); };
  graph.replays = series(replay, settings_.calls_per_graph, Cache::as_it_is);
  return graph;
}

// The number of samples is fixed before the first, as on the host: only the device's clock decides which are repeated,
// never the measured time.
DeviceSeries DeviceSampler::series(const DeviceWork& once, std::int64_t calls_in_one, Cache cache) {
  DeviceSeries series;
  QueueAhead ahead(settings_);
  ThrottleGuard guard(device_.traits(), settings_);
  Batch batch{once, calls_in_one, cache};
  warm_up(batch);
  const std::int64_t cost_ns = find_repeats(batch, ahead, series);
  series.calls_per_sample = batch.repeats * calls_in_one;
  const std::int64_t least_ns = cache == Cache::flushed ? settings_.cold_resolved_ns : settings_.hot_least_ns;
  const std::int64_t wanted = number_of_samples(counts_, cost_ns);
  while (!series.invalid && guard.kept() < wanted) {
    const Attempt attempt = settled(batch, ahead, series);
    if (!(attempt.ns > 0) || !std::isfinite(attempt.ns)) {
      series.invalid = "the events enclose no work in the device's queue: it runs on another stream, or on the CPU";
    } else if (guard.keeps(attempt.clock_mhz)) {
      series.samples.push_back({attempt.ns / static_cast<double>(series.calls_per_sample), attempt.behind,
                                attempt.ns < static_cast<double>(least_ns), attempt.clock_mhz});
    } else if (!(series.invalid = guard.invalid(wanted))) {
      device_.pause(guard.pause_ns());
      warm_up(batch);
    }
  }
  series.throttled = guard.discarded();
  if (series.invalid) series.samples.clear();
  return series;
}

// The smallest batch of 2^k that is long enough; a cold sample is always one call. Returns the cost of a sample.
std::int64_t DeviceSampler::find_repeats(Batch& batch, QueueAhead& ahead, DeviceSeries& series) {
  for (;; batch.repeats *= 2) {
    std::array<std::int64_t, trials> costs{};
    double fastest_ns = 0;
    for (std::size_t i = 0; i < trials; ++i) {
      const Attempt attempt = settled(batch, ahead, series);
      costs[i] = attempt.cost_ns;
      fastest_ns = i == 0 ? attempt.ns : std::min(fastest_ns, attempt.ns);
    }
    const bool long_enough = fastest_ns >= static_cast<double>(settings_.hot_least_ns);
    const bool nothing = !(fastest_ns > 0);  // doubling a batch that takes no time is useless
    if (batch.cache == Cache::flushed || long_enough || nothing ||
        batch.repeats * batch.calls_in_one >= settings_.most_calls_per_sample) {
      series.retaken = 0;  // those belong to the search for the hold
      std::sort(costs.begin(), costs.end());
      return costs[trials / 2];
    }
  }
}

DeviceSampler::Attempt DeviceSampler::settled(const Batch& batch, QueueAhead& ahead, DeviceSeries& series) {
  for (;;) {
    Attempt attempt = take(batch, ahead);
    if (!ahead.again(attempt.behind, attempt.queuing_ns)) return attempt;
    ++series.retaken;
  }
}

DeviceSampler::Attempt DeviceSampler::take(const Batch& batch, const QueueAhead& ahead) {
  const std::int64_t begin = clock_.wall_ns();
  if (batch.cache == Cache::flushed) {
    must(device_.flush_cache(), "flushing the level-2 cache");
    must(device_.record(Mark::end), "recording an event");
    finish("flushing its level-2 cache", 0);
  }
  if (ahead.hold_ns() > 0) must(device_.hold(ahead.hold_ns()), "holding the device");
  const std::int64_t queuing = clock_.wall_ns();
  must(device_.stamp_clock(Mark::begin), "reading the device's clock");
  must(device_.record(Mark::begin), "recording an event");
  for (std::int64_t i = 0; i < batch.repeats; ++i) batch.once();
  must(device_.record(Mark::end), "recording an event");
  Attempt attempt;
  attempt.behind = must(device_.passed(Mark::begin), "querying an event");
  attempt.queuing_ns = clock_.wall_ns() - queuing;
  must(device_.stamp_clock(Mark::end), "reading the device's clock");
  const std::int64_t calls = batch.repeats * batch.calls_in_one;
  finish(base::counted(calls, "call", "calls"), calls);
  attempt.ns = must(device_.elapsed_ns(), "reading the events");
  attempt.clock_mhz =
      clock_mhz(must(device_.clock_between(), "reading the device's clock"), device_.traits(), settings_);
  attempt.cost_ns = clock_.wall_ns() - begin;
  return attempt;
}

void DeviceSampler::warm_up(const Batch& batch) {
  for (std::int64_t i = 0; i < settings_.warmup_calls; ++i) batch.once();
  must(device_.record(Mark::end), "recording an event");
  finish("its warm-up", settings_.warmup_calls * batch.calls_in_one);
}

// Waits for the end mark, then for the whole device. Polls the event first: a blocking wait for an event that never
// completes could not be ended.
void DeviceSampler::finish(const std::string& what, std::int64_t calls) {
  constexpr double ns_per_s = 1e9;
  const std::int64_t limit_ns = settings_.timeout_ns + patience * call_ns_ * calls;
  const std::int64_t begin = clock_.wall_ns();
  while (!must(device_.passed(Mark::end), what.c_str())) {
    if (clock_.wall_ns() - begin <= limit_ns) continue;
    throw DeviceTimeout("the device did not finish " + what + " within " +
                        std::to_string(std::llround(static_cast<double>(limit_ns) / ns_per_s)) +
                        " s: a kernel does not end, or the queue is stuck");
  }
  must(device_.synchronize(), what.c_str());
}

}  // namespace torchgate::bench
