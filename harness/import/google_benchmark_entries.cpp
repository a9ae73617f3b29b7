// SPDX-License-Identifier: Apache-2.0
#include "harness/import/google_benchmark_entries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "harness/base/counted.hpp"
#include "harness/base/limits.hpp"
#include "harness/import/bounds.hpp"
#include "harness/import/google_benchmark_name.hpp"
#include "harness/import/rates.hpp"
#include "harness/import/units.hpp"

namespace torchgate::import {
namespace {

// Counters of one benchmark; a program has a few.
constexpr std::size_t most_counters = 100;

ImportedMetric metric_of_counter(const std::string& name, std::vector<double> values) {
  const bool items = name == items_rate;
  if (items || name == bytes_rate) return rate_metric(name, items ? "items/s" : "bytes/s", std::move(values));
  ImportedMetric metric = rate_metric(name, unit_in_name(name), std::move(values));
  metric.told = Told::by_nobody;
  return metric;
}

// An invalid time fails its own benchmark, not the file: the others are judged.
std::string no_time(const GoogleBenchmarkEntry& entry) {
  if (!entry.real_time) return "invalid real_time: NaN or infinite";
  const double ns = *entry.real_time * entry.ns_per_unit;
  if (ns >= 0 && ns <= longest_ns) return "";
  return fmt::format("invalid real_time: {:g} ns", ns);
}

}  // namespace

std::string GoogleBenchmarkEntries::add(GoogleBenchmarkEntry entry) {
  if (is_aggregate(entry)) {
    // Noted, in case nothing else comes of that name. Before version 1.5 something has.
    if (entry.run_type.empty() || entry.fitted) return "";
    Benchmark* const of = benchmark(entry.run_name);
    if (of != nullptr) add_aggregate(*of, entry);
    return of != nullptr ? "" : fmt::format("more than {} benchmarks with different names", base::max_cases);
  }
  Benchmark* const of = benchmark(entry.run_name);
  if (of == nullptr) return fmt::format("more than {} benchmarks with different names", base::max_cases);
  of->only_aggregates = false;
  if (entry.error) {
    of->failure = std::move(entry.message);
  } else if (entry.skipped) {
    of->skipped = std::move(entry.message);
  } else if (!entry.has_real_time) {
    return "missing key \"real_time\"";
  } else if (std::string why = no_time(entry); !why.empty()) {
    of->failure = std::move(why);
  } else {
    add_repetition(*of, entry);
  }
  return "";
}

void GoogleBenchmarkEntries::add_aggregate(Benchmark& of, GoogleBenchmarkEntry& entry) {
  if (entry.percentage || !entry.has_real_time || !no_time(entry).empty()) return;
  const double ns = *entry.real_time * entry.ns_per_unit;
  if (entry.aggregate_name == "median") {
    of.median_ns = ns;
    of.median_counters = std::move(entry.counters);
  } else if (entry.aggregate_name == "mean") {
    of.mean_ns = ns;
    of.mean_counters = std::move(entry.counters);
  }
}

void GoogleBenchmarkEntries::add_counters(Benchmark& of, const GoogleBenchmarkEntry& entry, std::size_t position) {
  std::size_t next = 0;
  for (const GoogleBenchmarkCounter& counter : entry.counters) {
    // They stand in the same order in each row.
    const auto is_it = [&](const Counter& each) { return each.name == counter.name; };
    auto found = next < of.counters.size() && is_it(of.counters[next])
                     ? of.counters.begin() + static_cast<std::ptrdiff_t>(next)
                     : std::find_if(of.counters.begin(), of.counters.end(), is_it);
    if (found == of.counters.end()) {
      if (of.counters.size() == most_counters || position > 0) continue;  // missing in the first repetition
      found = of.counters.insert(of.counters.end(), {counter.name, {}});
    }
    if (found->values.size() == position) found->values.push_back(counter.value);
    next = static_cast<std::size_t>(found - of.counters.begin()) + 1;
  }
}

// In the order of the sorted repetitions.
void GoogleBenchmarkEntries::take_counters(const Benchmark& of, const GoogleBenchmarkName& name, ImportedCase& result) {
  const Repetition& first = of.repetitions.front();
  for (const Counter& counter : of.counters) {
    if (counter.values.size() != of.repetitions.size()) continue;
    std::vector<double> values;
    values.reserve(counter.values.size());
    for (const Repetition& each : of.repetitions) values.push_back(counter.values[each.position]);
    const double time_ns = name.real_time ? first.time_ns : first.cpu_ns;
    if (counter.name == items_rate) result.items_per_call = work_per_call(values.front(), time_ns);
    if (counter.name == bytes_rate) result.bytes_per_call = work_per_call(values.front(), time_ns);
    result.metrics.push_back(metric_of_counter(counter.name, std::move(values)));
  }
}

void GoogleBenchmarkEntries::add_repetition(Benchmark& of, const GoogleBenchmarkEntry& entry) {
  // Before version 1.5 repetitions have no number, but stand in their order.
  const auto position = static_cast<std::int64_t>(of.repetitions.size());
  const bool cpu_known = entry.cpu_time && *entry.cpu_time >= 0 && *entry.cpu_time * entry.ns_per_unit <= longest_ns;
  add_counters(of, entry, of.repetitions.size());
  of.repetitions.push_back({entry.repetition.value_or(position), *entry.real_time * entry.ns_per_unit,
                            cpu_known ? *entry.cpu_time * entry.ns_per_unit : 0, of.repetitions.size(),
                            entry.sample_run});
  of.cpu_time_known = of.cpu_time_known && cpu_known;
  of.calls_per_sample = std::max(of.calls_per_sample, entry.iterations);
  of.peak_bytes.add(entry.peak_bytes);
  of.allocations.add(entry.allocations);
}

// From version 1.5 on, run_type is given. Before, "BM_x_mean" comes after the repetitions of "BM_x".
bool GoogleBenchmarkEntries::is_aggregate(const GoogleBenchmarkEntry& entry) const {
  if (!entry.run_type.empty()) return entry.run_type == "aggregate";
  constexpr std::array<std::string_view, 6> endings{"_mean", "_median", "_stddev", "_cv", "_BigO", "_RMS"};
  return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) {
    return entry.name.ends_with(ending) &&
           positions_.count(entry.name.substr(0, entry.name.size() - ending.size())) > 0;
  });
}

// Repetitions stand together unless they were interleaved. nullptr: too many.
GoogleBenchmarkEntries::Benchmark* GoogleBenchmarkEntries::benchmark(const std::string& run_name) {
  if (last_ < benchmarks_.size() && benchmarks_[last_].run_name == run_name) return &benchmarks_[last_];
  if (benchmarks_.size() == static_cast<std::size_t>(base::max_cases) && !positions_.contains(run_name)) return nullptr;
  const auto [at, is_new] = positions_.try_emplace(run_name, benchmarks_.size());
  if (is_new) benchmarks_.emplace_back().run_name = run_name;
  last_ = at->second;
  return &benchmarks_[last_];
}

// A benchmark of which only aggregates are left has its median or mean as its one value; without either there is nothing.
base::Result<void> GoogleBenchmarkEntries::settle_aggregates() {
  const auto bad = [&](const std::string& what) {
    return base::Error{base::ErrorCode::bad_input, process_.file + ": " + what};
  };
  if (benchmarks_.empty()) return bad("no benchmarks; check its --benchmark_filter");
  const auto without_value = [](const Benchmark& each) {
    return each.only_aggregates && !each.median_ns && !each.mean_ns;
  };
  const auto lost = std::count_if(benchmarks_.begin(), benchmarks_.end(), without_value);
  if (static_cast<std::size_t>(lost) == benchmarks_.size()) {
    return bad(
        "only aggregates, and none of them is a mean or a median; measure again with "
        "--benchmark_report_aggregates_only=false");
  }
  if (lost > 0) {
    const auto first = std::find_if(benchmarks_.begin(), benchmarks_.end(), without_value);
    process_.warnings.push_back(
        fmt::format("{}: ignored {} with only aggregates that are neither mean nor median, e.g. {}; measure again with "
                    "--benchmark_report_aggregates_only=false",
                    process_.file, base::counted(lost, "benchmark", "benchmarks"), first->run_name));
    std::erase_if(benchmarks_, without_value);
  }
  if (std::any_of(benchmarks_.begin(), benchmarks_.end(), [](const Benchmark& each) { return each.only_aggregates; })) {
    process_.warnings.emplace_back(
        "of some benchmarks only aggregates are in the file, so each of them has one value per process and no spread; "
        "measure again with --benchmark_report_aggregates_only=false");
  }
  return {};
}

// Sorted, so that neither the order of the file nor shuffled repetitions make another run.
void GoogleBenchmarkEntries::make_cases() {
  std::vector<GoogleBenchmarkName> names;
  std::unordered_map<std::string_view, int> uses;
  names.reserve(benchmarks_.size());
  for (const Benchmark& each : benchmarks_) names.push_back(parse_google_benchmark_name(each.run_name));
  for (const GoogleBenchmarkName& name : names) ++uses[name.name];
  for (std::size_t i = 0; i < benchmarks_.size(); ++i) {
    // BM_x/min_time:1 and BM_x/min_time:2 side by side: only the suffix distinguishes them.
    const bool ambiguous = uses[names[i].name] > 1;
    process_.cases.push_back(make_case(std::move(benchmarks_[i]), names[i], ambiguous));
  }
  std::sort(process_.cases.begin(), process_.cases.end(),
            [](const ImportedCase& a, const ImportedCase& b) { return a.name < b.name; });
}

ImportedCase GoogleBenchmarkEntries::make_case(Benchmark benchmark, const GoogleBenchmarkName& name, bool ambiguous) {
  ImportedCase result;
  result.name = ambiguous ? benchmark.run_name : name.name;
  result.run_name = benchmark.run_name;
  result.parameters = name.parameters;
  result.protocol = google_benchmark_protocol(name);
  result.failure = std::move(benchmark.failure);
  result.skipped = std::move(benchmark.skipped);
  if (!result.failure.empty() || !result.skipped.empty()) return result;
  if (benchmark.only_aggregates) {
    result.time_ns = {benchmark.median_ns ? *benchmark.median_ns : *benchmark.mean_ns};
    result.note = fmt::format("the file has only the {} of its repetitions", benchmark.median_ns ? "median" : "mean");
    const auto& counters = benchmark.median_ns ? benchmark.median_counters : benchmark.mean_counters;
    for (const GoogleBenchmarkCounter& counter : counters)
      result.metrics.push_back(metric_of_counter(counter.name, {counter.value}));
    return result;
  }
  const auto in_time = [](const Repetition& a, const Repetition& b) {
    return std::pair(a.index, a.time_ns) < std::pair(b.index, b.time_ns);
  };
  std::sort(benchmark.repetitions.begin(), benchmark.repetitions.end(), in_time);
  warn_of_twins(benchmark);
  result.calls_per_sample = benchmark.calls_per_sample;
  result.peak_bytes = benchmark.peak_bytes.agreed();
  result.allocations = benchmark.allocations.agreed();
  take_counters(benchmark, name, result);
  result.time_ns.reserve(benchmark.repetitions.size());
  for (const Repetition& each : benchmark.repetitions) result.time_ns.push_back(each.time_ns);
  for (const Repetition& each : benchmark.repetitions) {
    if (!each.sample_run) break;
    result.sample_runs.push_back(static_cast<std::int64_t>(*each.sample_run));
  }
  if (result.sample_runs.size() != benchmark.repetitions.size()) result.sample_runs.clear();
  if (benchmark.cpu_time_known) {
    result.cpu_ns.reserve(benchmark.repetitions.size());
    for (const Repetition& each : benchmark.repetitions) result.cpu_ns.push_back(each.cpu_ns);
  }
  return result;
}

void GoogleBenchmarkEntries::warn_of_twins(const Benchmark& benchmark) {
  const auto twin = std::adjacent_find(benchmark.repetitions.begin(), benchmark.repetitions.end(),
                                       [](const Repetition& a, const Repetition& b) { return a.index == b.index; });
  if (twin == benchmark.repetitions.end()) return;
  process_.warnings.push_back(
      fmt::format("{0}: duplicate repetition {2} of {1} (is the name registered twice?); all are used as samples "
                  "of one case",
                  process_.file, benchmark.run_name, twin->index));
}

base::Result<ImportedProcess> GoogleBenchmarkEntries::finish(ImportedProcess process) {
  process_ = std::move(process);
  if (auto settled = settle_aggregates(); !settled) return settled.error();
  make_cases();
  return std::move(process_);
}

}  // namespace torchgate::import
