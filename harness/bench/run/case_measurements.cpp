// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/run/case_measurements.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <span>
#include <stdexcept>
#include <utility>

#include "harness/record/sample_summary.hpp"
#include "stats/mser.hpp"
#include "stats/turns.hpp"

namespace torchgate::bench {
namespace {

record::Measurement exact_measurement(const std::string& metric, const std::vector<double>& samples) {
  if (!std::isfinite(samples.front())) throw std::runtime_error(metric + " is not a finite number");
  if (std::any_of(samples.begin(), samples.end(), [&](double value) { return value != samples.front(); }))
    throw std::runtime_error(metric + " is declared exact, but differs from sample to sample; declare it timed");
  return exact_value_of(metric, samples.front());
}

void check_declared(const std::string& name, bool pooled, const std::vector<OwnMetric>& declared) {
  const auto found =
      std::find_if(declared.begin(), declared.end(), [&](const auto& own) { return own.name() == name; });
  if (found == declared.end())
    throw std::runtime_error("undeclared metric \"" + name + "\"; declare it with measures()");
  if (found->is_pooled() == pooled) return;
  throw std::runtime_error(pooled ? "metric \"" + name + "\" has observations of each(); declare it pooled()"
                                  : "metric \"" + name + "\" is pooled(); record it with each(), not with put()");
}

}  // namespace

record::Measurement exact_value_of(const std::string& metric, double value) {
  record::Measurement measurement;
  measurement.metric = metric;
  measurement.value = value;
  return measurement;
}

record::Measurement timed_measurement(const std::string& metric, std::vector<double> samples, std::size_t discarded) {
  record::Measurement measurement;
  measurement.metric = metric;
  try {
    measurement.summary = record::summarize_samples(std::span<const double>(samples).subspan(discarded));
  } catch (const std::exception& error) {
    throw std::runtime_error(metric + ": " + error.what());
  }
  measurement.samples = std::move(samples);
  return measurement;
}

// MSER-5 estimates how many samples at the start still belong to the warm-up. Below 100 samples it selects half of many
// perfectly steady series (stats/STEADY_STATE.md), so these are neither cut nor reported as "never became steady".
std::size_t find_steady_state(const std::vector<double>& wall_ns, record::CaseResult& result) {
  std::vector<double> logs;
  logs.reserve(wall_ns.size());
  for (const double sample : wall_ns) logs.push_back(std::log(sample));
  const auto cut = stats::mser5(logs);
  if (!cut) return 0;
  if (cut->at_limit) {
    if (wall_ns.size() >= stats::never_steady_from) result.steady = false;
    return 0;
  }
  result.steady = true;
  result.discarded_samples = static_cast<std::int64_t>(cut->discard);
  if (cut->discard > 0) result.discard_reason = "warm-up, found by MSER-5";
  return cut->discard;
}

record::TurnTimes turn_times(const Samples& samples) {
  const auto floor = stats::floor_of(samples.wall_ns);
  if (!floor) throw std::runtime_error("it ended before its first turn");
  record::TurnTimes times;
  times.floor = *floor;
  times.counts = samples.turns;
  std::size_t begin = 0;
  for (const std::int64_t count : samples.turns) {
    const auto turn = std::span(samples.wall_ns).subspan(begin, static_cast<std::size_t>(count));
    const auto mean = stats::turn_mean(turn);
    if (!mean) throw std::runtime_error("a sample of a turn is not a positive number");
    times.means.push_back(*mean);
    begin += turn.size();
  }
  return times;
}

void check_declared(const Samples& samples, const std::vector<OwnMetric>& declared) {
  for (const auto& [name, values] : samples.recorded) {
    if (!values.empty()) check_declared(name, false, declared);
  }
  for (const auto& [name, values] : samples.pooled) check_declared(name, true, declared);
}

std::vector<std::string> of_all_ranks(const std::vector<OwnMetric>& declared) {
  std::vector<std::string> names;
  for (const OwnMetric& own : declared) {
    if (own.is_of_all_ranks()) names.push_back(own.name());
  }
  return names;
}

void add_own_metrics(const std::vector<OwnMetric>& declared, Samples& samples, const Counted& counted,
                     record::CaseResult& result) {
  const auto& [count, discarded] = counted;
  for (const OwnMetric& own : declared) {
    const std::string& name = own.name();
    Samples::Pooled& pooled = samples.pooled[name];
    std::vector<double> values = own.is_pooled() ? std::move(pooled.values) : std::move(samples.recorded[name]);
    const std::size_t recorded = own.is_pooled() ? pooled.ends.size() : values.size();
    if (recorded != count)
      throw std::runtime_error("it declares the metric \"" + name + "\", but recorded it in " +
                               std::to_string(recorded) + " of " + std::to_string(count) + " samples");
    const std::size_t cut = own.is_pooled() && discarded > 0 ? pooled.ends[discarded - 1] : discarded;
    result.measurements.push_back(own.metric().kind == record::MetricKind::timed
                                      ? timed_measurement(name, std::move(values), cut)
                                      : exact_measurement(name, values));
  }
}

}  // namespace torchgate::bench
