// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/device/clock_watch.hpp"

#include <algorithm>
#include <stdexcept>

namespace torchgate::bench {
namespace {

void check(const base::Result<void>& result) {
  if (!result) throw std::runtime_error(result.error().within("reading the device's clock").message);
}

void keep(std::vector<double>& values, const std::vector<bool>& kept) {
  std::vector<double> rest;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (kept[i]) rest.push_back(values[i]);
  }
  values = std::move(rest);
}

// The observations of the samples that are kept, and where each of these samples ends now.
void keep(Samples::Pooled& pooled, const std::vector<bool>& kept) {
  Samples::Pooled rest;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < pooled.ends.size(); ++i) {
    const std::size_t end = pooled.ends[i];
    for (std::size_t value = begin; kept[i] && value < end; ++value) rest.values.push_back(pooled.values[value]);
    if (kept[i]) rest.ends.push_back(rest.values.size());
    begin = end;
  }
  pooled = std::move(rest);
}

}  // namespace

void ClockWatch::on_start(std::int64_t samples, std::int64_t calls_per_sample) {
  if (next_ != nullptr) next_->on_start(samples, calls_per_sample);
}

void ClockWatch::on_sample_begin() {
  check(device_.stamp_clock(Mark::begin));
  check(device_.synchronize());
  if (next_ != nullptr) next_->on_sample_begin();
}

void ClockWatch::on_sample_end() {
  if (next_ != nullptr) next_->on_sample_end();
  check(device_.stamp_clock(Mark::end));
  check(device_.synchronize());
  const auto reading = device_.clock_between();
  if (!reading) throw std::runtime_error(reading.error().within("reading the device's clock").message);
  kept_.push_back(guard_.keeps(clock_mhz(*reading, device_.traits(), settings_)));
  if (!kept_.back()) device_.pause(guard_.pause_ns());
}

std::int64_t ClockWatch::drop_throttled(Samples& samples) const {
  if (guard_.discarded() == 0) return 0;
  if (const auto why = guard_.invalid(guard_.kept())) throw std::runtime_error("time is not valid: " + *why);
  const std::vector<bool> kept = kept_in_turns(samples.turns);
  keep(samples.wall_ns, kept);
  keep(samples.cpu_ns, kept);
  // A value that is missing in some samples cannot be assigned to the others, and its case fails.
  for (auto& [metric, values] : samples.recorded) {
    if (values.size() == kept.size()) keep(values, kept);
  }
  for (auto& [metric, pooled] : samples.pooled) {
    if (pooled.ends.size() == kept.size()) keep(pooled, kept);
  }
  return std::count(kept.begin(), kept.end(), false);
}

// TURNS: the samples of each, from now on without those that are not kept.
std::vector<bool> ClockWatch::kept_in_turns(std::vector<std::int64_t>& turns) const {
  std::vector<bool> kept = kept_;
  auto begin = kept.begin();
  for (std::int64_t& samples : turns) {
    const auto end = begin + samples;
    if (std::find(begin, end, true) == end) std::fill(begin, end, true);
    samples = std::count(begin, end, true);
    begin = end;
  }
  return kept;
}

}  // namespace torchgate::bench
