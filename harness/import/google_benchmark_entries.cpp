// SPDX-License-Identifier: Apache-2.0
#include "harness/import/google_benchmark_entries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "harness/base/counted.hpp"
#include "harness/base/limits.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/import/bounds.hpp"
#include "harness/import/case_list.hpp"
#include "harness/import/google_benchmark_name.hpp"
#include "harness/import/google_benchmark_rows.hpp"
#include "harness/import/imported_case.hpp"
#include "harness/import/own_facts.hpp"
#include "harness/import/same_names.hpp"
#include "harness/import/units.hpp"
#include "harness/record/clock_cycle.hpp"

namespace torchgate::import {
namespace {

// An invalid time fails its own benchmark, not the file: the others are judged.
std::string no_time(const GoogleBenchmarkEntry& entry) {
  if (entry.has_iterations && entry.iterations < 1) return fmt::format("a time of {} iterations", entry.iterations);
  if (!entry.real_time) return "invalid real_time: NaN or infinite";
  const double ns = *entry.real_time * entry.ns_per_unit;
  if (ns >= 0 && ns <= longest_ns) return "";
  return fmt::format("invalid real_time: {:g} ns", ns);
}

std::optional<double> cpu_ns_of(const GoogleBenchmarkEntry& entry) {
  if (!entry.cpu_time) return std::nullopt;
  const double ns = *entry.cpu_time * entry.ns_per_unit;
  return ns >= 0 && ns <= longest_ns ? std::optional(ns) : std::nullopt;
}

// ci/gate takes "/threads:4" at the end for four calls at the same time (evidence/go_cpus.hpp); where the file says that it is an
// argument, a time that four calls share is not one of a call.
void fail_shorter_than_a_cycle(const GoogleBenchmarkName& name, ImportedCase& one) {
  if (!name.threads_argument || one.time_ns.empty()) return;
  const double least = *std::min_element(one.time_ns.begin(), one.time_ns.end());
  if (least >= record::cycle_ns) return;
  one.failure = measures_nothing(least);
  one.time_ns.clear();
  one.metrics.clear();
}

}  // namespace

std::string GoogleBenchmarkEntries::add(GoogleBenchmarkEntry entry) {
  if (entry.run_name.empty()) return "a row without a name";
  if (entry.run_name.size() > base::max_name_bytes)
    return fmt::format("a name is longer than {} bytes", base::max_name_bytes);
  // A row of a fit has no time of its own; a counter called "rms" or "big_o" is beside one.
  const bool fit = entry.aggregate_name == "BigO" || entry.aggregate_name == "RMS" ||
                   (entry.fitted && !entry.has_real_time && entry.aggregate_name.empty());
  if (entry.run_type != "iteration" && fit && !entry.error) return "";
  Benchmark* const of = benchmark(entry);
  if (of == nullptr) return fmt::format("more than {} benchmarks with different names", base::max_cases);
  if (!of->counts.repetitions) of->counts.repetitions = entry.repetitions;
  if (!of->counts.threads) of->counts.threads = entry.threads;
  if (of->label.empty()) of->label = std::move(entry.label);
  if (entry.message.empty()) entry.message = "no reason given";  // an exception without a text is an error, too
  if (entry.run_type == "aggregate") {
    if (entry.error)
      of->failure = std::move(entry.message);
    else if (entry.skipped)
      of->skipped = std::move(entry.message);
    else
      add_aggregate(*of, entry);  // in case nothing else comes of that benchmark
    return "";
  }
  of->only_aggregates = false;
  if (of->rows++ == 0) of->iterations = entry.iterations;
  of->no_numbers = of->no_numbers || entry.error || entry.skipped;
  if (entry.error) {
    of->failure = std::move(entry.message);
  } else if (entry.skipped) {
    of->skipped = std::move(entry.message);
  } else if (!entry.has_real_time) {
    return "missing key \"real_time\"";
  } else if (std::string why = no_time(entry); !why.empty()) {
    of->failure = std::move(why);
  } else {
    // statistics.cc: "All repetitions should be run with the same number of iterations".
    if (!of->typed && entry.iterations != of->iterations)
      of->ambiguous = fmt::format("its rows have {} and {} iterations, and repetitions have the same number of them",
                                  of->iterations, entry.iterations);
    add_repetition(*of, entry);
  }
  return "";
}

void GoogleBenchmarkEntries::add_aggregate(Benchmark& of, GoogleBenchmarkEntry& entry) {
  if (entry.percentage || !entry.has_real_time) return;
  const std::string why_not = no_time(entry);
  for (const auto& [name, value, cpu, counters] :
       {std::tuple("median", &of.median_ns, &of.median_cpu_ns, &of.median_counters),
        std::tuple("mean", &of.mean_ns, &of.mean_cpu_ns, &of.mean_counters)}) {
    if (entry.aggregate_name != name) continue;
    if (value->has_value()) {
      if (of.ambiguous.empty()) of.ambiguous = fmt::format("the file has two values of its {}", name);
      continue;
    }
    if (!why_not.empty()) {
      of.no_aggregate = why_not;
      return;
    }
    *value = *entry.real_time * entry.ns_per_unit;
    *cpu = cpu_ns_of(entry);
    *counters = std::move(entry.counters);
  }
}

void GoogleBenchmarkEntries::add_repetition(Benchmark& of, const GoogleBenchmarkEntry& entry) {
  // Before version 1.5 repetitions have no number, but stand in their order.
  const auto position = static_cast<std::int64_t>(of.repetitions.size());
  const auto cpu_ns = cpu_ns_of(entry);
  add_counters(of, entry, of.repetitions.size());
  of.repetitions.push_back({entry.repetition.value_or(position), *entry.real_time * entry.ns_per_unit,
                            cpu_ns.value_or(0), of.repetitions.size(), entry.sample_run});
  of.cpu_time_known = of.cpu_time_known && cpu_ns.has_value();
  of.calls_per_sample = std::max(of.calls_per_sample, entry.iterations);
  if (entry.has_iterations && !of.counts.iterations) of.counts.iterations = entry.iterations;
  of.peak_bytes.add(entry.peak_bytes);
  of.allocations.add(entry.allocations);
}

// nullptr: too many.
GoogleBenchmarkEntries::Benchmark* GoogleBenchmarkEntries::benchmark(const GoogleBenchmarkEntry& entry) {
  const std::pair place(entry.family.value_or(-1), entry.instance.value_or(-1));
  if (last_ < benchmarks_.size()) {  // repetitions stand together unless they were interleaved
    Benchmark& last = benchmarks_[last_];
    if (last.run_name == entry.run_name && last.place == place && last.typed == !entry.run_type.empty()) return &last;
  }
  if (entry.run_type.empty()) {
    untyped_ = true;
    last_ = benchmarks_.size();
    return new_benchmark(entry);
  }
  const auto [at, is_new] =
      positions_.try_emplace(fmt::format("{}\n{} {}", entry.run_name, place.first, place.second), benchmarks_.size());
  last_ = at->second;
  return is_new ? new_benchmark(entry) : &benchmarks_[last_];
}

GoogleBenchmarkEntries::Benchmark* GoogleBenchmarkEntries::new_benchmark(const GoogleBenchmarkEntry& entry) {
  constexpr std::size_t most_rows_of_one = 16;  // it, and its aggregates where they are rows of their own
  const auto most = static_cast<std::size_t>(base::max_cases) * (entry.run_type.empty() ? most_rows_of_one : 1);
  if (benchmarks_.size() >= most) return nullptr;
  Benchmark& added = benchmarks_.emplace_back();
  added.run_name = entry.run_name;
  added.place = {entry.family.value_or(-1), entry.instance.value_or(-1)};
  added.typed = !entry.run_type.empty();
  return &added;
}

// Of a file without types: what its blocks of rows are.
void GoogleBenchmarkEntries::settle_rows() {
  if (!untyped_) return;
  std::vector<RowBlock> blocks;
  blocks.reserve(benchmarks_.size());
  for (const Benchmark& each : benchmarks_)
    blocks.push_back({each.run_name, std::max<std::int64_t>(each.rows, 1), each.iterations, each.no_numbers});
  const std::vector<BlockRole> roles = roles_of(blocks);
  if (std::string warning = ignored_statistics(roles, "write JSON with version 1.5 or later"); !warning.empty())
    add_warning(process_.warnings, std::move(warning));
  std::vector<RowBlock> own;
  for (std::size_t i = 0; i < benchmarks_.size(); ++i)
    if (!benchmarks_[i].typed && !roles[i].aggregate && benchmarks_[i].failure.empty() &&
        benchmarks_[i].skipped.empty())
      own.push_back(blocks[i]);
  const auto usual = usual_rows(own);
  std::vector<Benchmark> settled;
  for (std::size_t i = 0; i < benchmarks_.size(); ++i) {
    Benchmark& each = benchmarks_[i];
    if (each.typed || !roles[i].aggregate) {
      settled.push_back(std::move(each));
      // Its aggregates follow: its rows are repetitions of one benchmark, however many others have.
      settled.back().own_repetitions = i + 1 < roles.size() && roles[i + 1].begins && !roles[i + 1].alone;
      continue;
    }
    if (roles[i].alone && roles[i].begins) {
      settled.emplace_back().run_name = roles[i].of;
      settled.back().typed = false;
    }
    const bool is_value = roles[i].statistic == "mean" || roles[i].statistic == "median";
    if (is_value && !settled.empty() && settled.back().failure.empty()) settled.back().failure = each.failure;
    if (!roles[i].alone) continue;
    if (each.repetitions.empty()) continue;
    Benchmark& of = settled.back();
    for (const auto& [name, value, cpu, counters] :
         {std::tuple("median", &of.median_ns, &of.median_cpu_ns, &of.median_counters),
          std::tuple("mean", &of.mean_ns, &of.mean_cpu_ns, &of.mean_counters)}) {
      if (roles[i].statistic != name) continue;
      *value = each.repetitions.front().time_ns;
      if (each.cpu_time_known) *cpu = each.repetitions.front().cpu_ns;
      for (const Counter& counter : each.counters)
        counters->push_back(
            {counter.name, counter.values.empty() ? std::nullopt : std::optional(counter.values.front())});
    }
  }
  std::vector<double> times;
  for (Benchmark& each : settled) {
    if (each.typed || each.own_repetitions || !each.ambiguous.empty() || !each.failure.empty()) continue;
    times.clear();
    for (const Repetition& one : each.repetitions) times.push_back(one.time_ns);
    each.ambiguous = two_in_one_block(times, asks_for_repetitions(each.run_name) ? std::nullopt : usual);
  }
  benchmarks_ = std::move(settled);
}

// Benchmarks of one name have a number, in the order of families and instances, which is that in which the program registers them. Where the file has
// neither, nothing tells them apart.
void GoogleBenchmarkEntries::tell_apart() {
  std::unordered_map<std::string_view, std::vector<Benchmark*>> of_name;
  for (Benchmark& each : benchmarks_) of_name[each.run_name].push_back(&each);
  for (auto& [name, all] : of_name) {
    std::sort(all.begin(), all.end(), [](const Benchmark* a, const Benchmark* b) { return a->place < b->place; });
    const bool known = std::adjacent_find(all.begin(), all.end(), [](const Benchmark* a, const Benchmark* b) {
                         return a->place == b->place || a->place.first < 0;
                       }) == all.end();
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i]->number = static_cast<std::int64_t>(i) + 1;
      all[i]->of_one_name = static_cast<std::int64_t>(known ? all.size() : 1);
      all[i]->dropped = !known && i > 0;
    }
    if (known) continue;
    Benchmark& kept = *all.front();
    kept.ambiguous = fmt::format("the file has it {} times and does not tell them apart", all.size());
    for (Benchmark* const each : all)
      if (kept.failure.empty()) kept.failure = each->failure;  // one of them failed: whichever it is
  }
  std::erase_if(benchmarks_, [](const Benchmark& each) { return each.dropped; });
  for (Benchmark& each : benchmarks_) {
    const auto by_index = [](const Repetition& a, const Repetition& b) {
      return std::pair(a.index, a.time_ns) < std::pair(b.index, b.time_ns);
    };
    std::sort(each.repetitions.begin(), each.repetitions.end(), by_index);
    const auto twin = std::adjacent_find(each.repetitions.begin(), each.repetitions.end(),
                                         [](const Repetition& a, const Repetition& b) { return a.index == b.index; });
    if (twin != each.repetitions.end() && each.ambiguous.empty())
      each.ambiguous = fmt::format("the file has repetition {} of it twice", twin->index);
  }
}

// A benchmark of which only aggregates are left has its median or mean as its one value; without either there is nothing.
base::Result<void> GoogleBenchmarkEntries::settle_aggregates() {
  const auto bad = [&](const std::string& what) {
    return base::Error{base::ErrorCode::bad_input, process_.file + ": " + what};
  };
  if (benchmarks_.empty()) return bad("no benchmarks; check its --benchmark_filter");
  for (Benchmark& each : benchmarks_)
    if (each.only_aggregates && each.failure.empty()) each.failure = std::move(each.no_aggregate);
  const auto without_value = [](const Benchmark& each) {
    return each.only_aggregates && !each.median_ns && !each.mean_ns && each.failure.empty() && each.skipped.empty();
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
    process_.no_spread =
        "of some benchmarks only aggregates are in the file, so each of them has one value per process and no spread; "
        "measure again with --benchmark_report_aggregates_only=false";
  }
  return {};
}

// Sorted, so that neither the order of the file nor shuffled repetitions make another run.
void GoogleBenchmarkEntries::make_cases() {
  std::vector<GoogleBenchmarkName> names;
  std::unordered_map<std::string_view, int> uses;
  names.reserve(benchmarks_.size());
  for (const Benchmark& each : benchmarks_) names.push_back(parse_google_benchmark_name(each.run_name, each.counts));
  for (std::size_t i = 0; i < benchmarks_.size(); ++i) {
    if (benchmarks_[i].number == 1) ++uses[names[i].name];
  }
  process_.cases.reserve(benchmarks_.size());
  for (std::size_t i = 0; i < benchmarks_.size(); ++i) {
    std::string label = std::move(benchmarks_[i].label);
    // BM_x/min_time:1 and BM_x/min_time:2 side by side: only the suffix distinguishes them.
    process_.cases.push_back(make_case(std::move(benchmarks_[i]), names[i], uses[names[i].name] > 1));
    fail_shorter_than_a_cycle(names[i], process_.cases.back());
    add_label(process_, process_.cases.back().name, std::move(label));
  }
  warn_of_lost_counters();
  name_same_names(process_.cases);
  std::sort(process_.cases.begin(), process_.cases.end(),
            [](const ImportedCase& a, const ImportedCase& b) { return a.name < b.name; });
}

ImportedCase GoogleBenchmarkEntries::make_case(Benchmark benchmark, const GoogleBenchmarkName& name,
                                               bool keep_suffixes) {
  ImportedCase result;
  result.name = keep_suffixes ? benchmark.run_name : name.name;
  if (name.name != benchmark.run_name) result.other_name = keep_suffixes ? name.name : benchmark.run_name;
  result.number = benchmark.number;
  result.of_one_name = benchmark.of_one_name;
  result.ambiguous = std::move(benchmark.ambiguous);
  result.run_name = benchmark.run_name;
  result.parameters = name.parameters;
  result.protocol = google_benchmark_protocol(name);
  result.cpu_clock = cpu_clock_of(name);
  result.cpu_judged = name.process_time && !name.real_time;
  result.failure = std::move(benchmark.failure);
  result.skipped = std::move(benchmark.skipped);
  if (!result.failure.empty() || !result.skipped.empty()) return result;
  if (benchmark.only_aggregates) {
    result.time_ns = {benchmark.median_ns ? *benchmark.median_ns : *benchmark.mean_ns};
    mark_single_value(result, benchmark.median_ns ? SingleValue::median : SingleValue::mean, "its repetitions");
    if (const auto cpu_ns = benchmark.median_ns ? benchmark.median_cpu_ns : benchmark.mean_cpu_ns)
      result.cpu_ns = {*cpu_ns};
    const auto& counters = benchmark.median_ns ? benchmark.median_counters : benchmark.mean_counters;
    take_counters_of_aggregate(counters, benchmark.run_name, name, result);
    return result;
  }
  result.calls_per_sample = benchmark.calls_per_sample;
  result.peak_bytes = benchmark.peak_bytes.agreed();
  result.allocations = benchmark.allocations.agreed();
  // As Go's: listed, not judged.
  for (const auto& [counter, sampled, unit] : {std::tuple(&benchmark.peak_bytes, "peak_bytes_sampled", "bytes"),
                                               std::tuple(&benchmark.allocations, "allocations_sampled", "1")}) {
    if (counter->missing || !counter->differs()) continue;
    result.metrics.push_back({{sampled, unit, record::Direction::lower_is_better, record::MetricKind::timed, false},
                              std::move(counter->values),
                              std::nullopt});
  }
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

base::Result<ImportedProcess> GoogleBenchmarkEntries::finish(ImportedProcess process) {
  process_ = std::move(process);
  settle_rows();
  tell_apart();
  if (benchmarks_.size() > static_cast<std::size_t>(base::max_cases))
    return base::Error{base::ErrorCode::bad_input,
                       fmt::format("{}: more than {} benchmarks with different names", process_.file, base::max_cases)};
  if (auto settled = settle_aggregates(); !settled) return settled.error();
  make_cases();
  return std::move(process_);
}

}  // namespace torchgate::import
