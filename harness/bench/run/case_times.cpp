// SPDX-License-Identifier: Apache-2.0
// The times of a case: on the host, in turns or in one piece, and on its device.
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "harness/base/counted.hpp"
#include "harness/bench/device/clock_watch.hpp"
#include "harness/bench/device/device_metrics.hpp"
#include "harness/bench/device/device_sampler.hpp"
#include "harness/bench/run/case_measurements.hpp"
#include "harness/bench/run/case_runner.hpp"

namespace torchgate::bench {

void CaseRunner::time(const GroupCases& group, const CaseInstance& instance, Timed& timed, SampleObserver* observer,
                      TurnGiver* turns, record::CaseResult& result) {
  const auto device = backend_.device(instance.definition.device);
  if (!device) throw std::runtime_error(device.error().message);
  const SamplerSettings settings = settings_of(group, instance);
  const double call_ns =
      add_host_times(group, instance,
                     sample_on_host(timed, instance.definition.device, *device, settings, observer, turns,
                                    of_all_ranks(group.own_metrics(*instance.variant)), result),
                     result);
  if (*device == nullptr) return;
  if (timed.has_set_up()) throw std::runtime_error("each_time() is possible on the CPU only");
  time_on_device(**device, group.has_graphs(*instance.variant), timed, settings, call_ns, result);
}

// Returns the median of a call's times.
double CaseRunner::add_host_times(const GroupCases& group, const CaseInstance& instance, Samples samples,
                                  record::CaseResult& result) {
  const std::vector<OwnMetric> own_metrics = group.own_metrics(*instance.variant);
  result.calls_per_sample = samples.calls_per_sample;
  result.warmup_calls = samples.warmup_calls;
  check_declared(samples, own_metrics);
  const std::size_t count = samples.wall_ns.size();
  const bool in_turns = !samples.turns.empty();
  // Turns of two processes are compared one by one: a part of one side's would have no partner.
  const std::size_t discarded = in_turns ? 0 : find_steady_state(samples.wall_ns, result);
  auto turns = in_turns ? turn_times(samples) : base::Boxed<record::TurnTimes>();
  result.measurements.push_back(timed_measurement("time", std::move(samples.wall_ns), discarded));
  result.measurements.back().turns = std::move(turns);
  const double call_ns = result.measurements.back().summary->median;
  result.measurements.push_back(timed_measurement("cpu_time", std::move(samples.cpu_ns), discarded));
  add_own_metrics(own_metrics, samples, {count, discarded}, result);
  return call_ns;
}

// The time that a caller sees: the call and the wait for the device. The clock of a device is watched.
Samples CaseRunner::sample_on_host(Timed& timed, const std::string& device_name, Device* device,
                                   const SamplerSettings& settings, SampleObserver* observer, TurnGiver* turns,
                                   const std::vector<std::string>& joined, record::CaseResult& result) {
  SamplerSettings in_turns = settings;
  // A turn holds some dozens of samples whatever the settings say of one.
  if (device == nullptr) {
    in_turns.sample_least_ns = std::max(settings.sample_least_ns, turn_sample_least_ns);
  } else {
    in_turns.blocks_least_ns = turn_sample_least_ns;
  }
  const auto settle = [&] { backend_.synchronize(device_name); };
  const auto take = [&](SampleObserver* watch, World& world) {
    return turns != nullptr ? sample_in_turns(timed, settle, in_turns, clock_, *turns, watch)
                            : sample(timed, settle, settings, clock_, watch, world, joined);
  };
  if (device == nullptr) return take(observer, world_);
  ClockWatch watch(*device, device_settings_, observer);
  Samples samples = take(&watch, solo_world());
  if (const std::int64_t dropped = watch.drop_throttled(samples); dropped > 0) {
    add_note(result, "time: discarded " + base::counted(dropped, "sample", "samples") + " below the expected clock");
  }
  return samples;
}

void CaseRunner::time_on_device(Device& device, bool graphs, Timed& timed, const SamplerSettings& settings,
                                double call_ns, record::CaseResult& result) {
  Recorder ignored(clock_);
  const DeviceWork call = [&] {
    ignored.clear();
    timed.run(ignored);
  };
  DeviceSampler sampler(device, call, static_cast<std::int64_t>(call_ns), device_settings_, settings, clock_);
  add_clock_note(device.traits(), result);
  add_device_series("cold", sampler.cold(), device.traits(), result);
  add_device_series("hot", sampler.hot(), device.traits(), result);
  if (graphs) add_graph_series(sampler.graph(), device.traits(), result);
}

}  // namespace torchgate::bench
