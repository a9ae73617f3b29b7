// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/sampler.hpp"

#include <algorithm>

namespace torchgate::bench {
namespace {

// With fewer the median of a process says nothing; statistics.md wants 40 and a case of seconds cannot have them.
constexpr std::int64_t fewest_samples = 5;
// How many of the last warm-up calls estimate the duration of one.
constexpr std::size_t estimate_calls = 5;

std::int64_t warm_up(Timed& timed, const std::function<void()>& settle, const SamplerSettings& settings, Clock& clock,
                     std::int64_t& calls) {
  std::vector<std::int64_t> durations;
  Recorder ignored;
  const std::int64_t begin = clock.wall_ns();
  std::int64_t now = begin;
  for (calls = 0; now - begin < settings.warmup_most_ns;) {
    const bool enough = calls >= settings.warmup_least_calls && now - begin >= settings.warmup_least_ns;
    if (enough) break;
    timed.run(ignored);
    settle();
    ++calls;
    const std::int64_t end = clock.wall_ns();
    durations.push_back(end - now);
    now = end;
  }
  const std::size_t last = std::min(durations.size(), estimate_calls);
  std::vector<std::int64_t> recent(durations.end() - static_cast<std::ptrdiff_t>(last), durations.end());
  std::nth_element(recent.begin(), recent.begin() + static_cast<std::ptrdiff_t>(last / 2), recent.end());
  return std::max<std::int64_t>(1, recent[last / 2]);
}

std::int64_t number_of_samples(std::int64_t sample_ns, const SamplerSettings& settings) {
  const std::int64_t affordable = settings.budget_ns / sample_ns;
  const std::int64_t wanted = std::clamp(affordable, settings.samples_least, settings.samples_most);
  const std::int64_t bearable = std::max(fewest_samples, settings.budget_most_ns / sample_ns);
  return std::min(wanted, bearable);
}

}  // namespace

SamplerSettings quick_settings() {
  SamplerSettings settings;
  settings.warmup_least_ns = 10'000'000;
  settings.warmup_most_ns = 500'000'000;
  settings.budget_ns = 40'000'000;
  settings.samples_least = 15;
  settings.samples_most = 200;
  settings.budget_most_ns = 500'000'000;
  return settings;
}

Samples sample(Timed& timed, const std::function<void()>& settle, const SamplerSettings& settings, Clock& clock) {
  Samples samples;
  const std::int64_t call_ns = warm_up(timed, settle, settings, clock, samples.warmup_calls);
  samples.calls_per_sample = (settings.sample_least_ns + call_ns - 1) / call_ns;
  const std::int64_t count = number_of_samples(call_ns * samples.calls_per_sample, settings);
  const auto per_call = 1.0 / static_cast<double>(samples.calls_per_sample);
  samples.wall_ns.reserve(static_cast<std::size_t>(count));
  samples.cpu_ns.reserve(static_cast<std::size_t>(count));
  Recorder recorder;
  for (std::int64_t i = 0; i < count; ++i) {
    recorder.clear();
    const std::int64_t cpu_begin = clock.cpu_ns();
    const std::int64_t begin = clock.wall_ns();
    for (std::int64_t call = 0; call < samples.calls_per_sample; ++call) timed.run(recorder);
    settle();
    const std::int64_t end = clock.wall_ns();
    const std::int64_t cpu_end = clock.cpu_ns();
    samples.wall_ns.push_back(static_cast<double>(end - begin) * per_call);
    samples.cpu_ns.push_back(static_cast<double>(cpu_end - cpu_begin) * per_call);
    for (const auto& [metric, sum] : recorder.sums()) samples.recorded[metric].push_back(sum * per_call);
  }
  return samples;
}

}  // namespace torchgate::bench
