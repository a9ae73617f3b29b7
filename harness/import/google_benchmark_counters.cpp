// SPDX-License-Identifier: Apache-2.0
// Counters of Google Benchmark's entries as metrics.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "harness/base/shown_text.hpp"
#include "harness/base/some_of.hpp"
#include "harness/import/case_list.hpp"
#include "harness/import/google_benchmark_entries.hpp"
#include "harness/import/rates.hpp"
#include "harness/import/units.hpp"

namespace torchgate::import {
namespace {

// Counters of one benchmark; a program has a few.
constexpr std::size_t most_counters = 100;

// Names of lost counters that are kept for a warning: a hostile file has another one in each row.
constexpr std::size_t most_lost = 1000;
constexpr std::size_t most_named_lost = 5;

// CLOCK: of rates of the benchmark. The file does not tell counters that are rates from others.
ImportedMetric metric_of_counter(const std::string& name, std::vector<double> values, record::Clock clock) {
  const bool items = name == items_rate;
  const bool of_library = items || name == bytes_rate;
  const std::string unit = items ? "items/s" : of_library ? "bytes/s" : unit_in_name(name);
  ImportedMetric metric = rate_metric(name, unit, std::move(values));
  if (!of_library) metric.told = Told::by_nobody;
  metric.metric.clock = clock;
  return metric;
}

void add_lost(std::set<std::string>& lost, const std::string& counter, const std::string& run_name) {
  if (lost.size() < most_lost) lost.insert(fmt::format("{} of {}", base::shown(counter), base::shown(run_name)));
}

}  // namespace

void GoogleBenchmarkEntries::add_counters(Benchmark& of, const GoogleBenchmarkEntry& entry, std::size_t position) {
  std::size_t next = 0;
  for (const GoogleBenchmarkCounter& counter : entry.counters) {
    // They stand in the same order in each row.
    const auto is_it = [&](const Counter& each) { return each.name == counter.name; };
    auto found = next < of.counters.size() && is_it(of.counters[next])
                     ? of.counters.begin() + static_cast<std::ptrdiff_t>(next)
                     : std::find_if(of.counters.begin(), of.counters.end(), is_it);
    if (found == of.counters.end()) {
      if (of.counters.size() == most_counters) {
        add_lost(too_many_counters_, counter.name, of.run_name);
        continue;
      }
      found = of.counters.insert(of.counters.end(), {counter.name, {}});
    }
    if (counter.value && found->values.size() == position) found->values.push_back(*counter.value);
    next = static_cast<std::size_t>(found - of.counters.begin()) + 1;
  }
}

// In the order of the sorted repetitions.
void GoogleBenchmarkEntries::take_counters(const Benchmark& of, const GoogleBenchmarkName& name, ImportedCase& result) {
  const Repetition& first = of.repetitions.front();
  for (const Counter& counter : of.counters) {
    if (counter.values.size() != of.repetitions.size()) {
      add_lost(lost_counters_, counter.name, of.run_name);
      continue;
    }
    std::vector<double> values;
    values.reserve(counter.values.size());
    for (const Repetition& each : of.repetitions) values.push_back(counter.values[each.position]);
    const double time_ns = name.real_time ? first.time_ns : first.cpu_ns;
    if (counter.name == items_rate) result.items_per_call = work_per_call(values.front(), time_ns);
    if (counter.name == bytes_rate) result.bytes_per_call = work_per_call(values.front(), time_ns);
    result.metrics.push_back(metric_of_counter(counter.name, std::move(values), rate_clock_of(name)));
  }
}

void GoogleBenchmarkEntries::take_counters_of_aggregate(const std::vector<GoogleBenchmarkCounter>& counters,
                                                        const std::string& run_name, const GoogleBenchmarkName& name,
                                                        ImportedCase& result) {
  for (const GoogleBenchmarkCounter& counter : counters) {
    if (counter.value)
      result.metrics.push_back(metric_of_counter(counter.name, {*counter.value}, rate_clock_of(name)));
    else
      add_lost(lost_counters_, counter.name, run_name);
  }
}

// Without the name of the file: where all files say the same, it is said once.
void GoogleBenchmarkEntries::warn_of_lost_counters() {
  if (!lost_counters_.empty())
    add_warning(process_.warnings, fmt::format("{}: missing or not finite in some repetitions, not compared",
                                               base::some_of(lost_counters_, most_named_lost)));
  if (!too_many_counters_.empty())
    add_warning(process_.warnings, fmt::format("{}: more than {} counters of one benchmark, not compared",
                                               base::some_of(too_many_counters_, most_named_lost), most_counters));
}

}  // namespace torchgate::import
