// SPDX-License-Identifier: Apache-2.0
#include "harness/import/go_process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>
#include <utility>

#include "harness/base/limits.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/base/some_of.hpp"
#include "harness/import/bounds.hpp"
#include "harness/import/case_list.hpp"
#include "harness/import/lines.hpp"
#include "harness/import/odd_levels.hpp"

namespace torchgate::import {
namespace {

using record::Direction;
using record::MetricKind;

constexpr std::string_view go_prefix = "Benchmark";
constexpr double bytes_per_megabyte = 1e6;  // package testing's MB
constexpr std::size_t most_values = 100;    // of one line
// Package testing prints two decimals. Below this, half a step is more than 0.25 %, and two sides may seem to do work that differs by 1 %
// (ci/gate/evidence/work.cpp) although b.SetBytes has the same.
constexpr double least_judged_rate = 2;

bool all_equal(const std::vector<double>& values) {
  return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
}

// A name of a metric here for what package testing itself counts; custom units are their own names.
struct GoCounter {
  std::string_view unit;
  const char* exact;    // where all samples of a process agree
  const char* sampled;  // where they do not
  const char* in;
};
constexpr std::array go_counters{
    GoCounter{"B/op", "allocated_bytes", "allocated_bytes_sampled", "bytes"},
    GoCounter{"allocs/op", "allocations", "allocations_sampled", "1"},
};

// The name of a metric that a program made up: its unit, unless that is what something else is called here.
std::string custom_name(const std::string& unit) {
  constexpr std::array<std::string_view, 4> taken{"time", "cpu_time", "peak_bytes", "allocations"};
  const bool is_taken = std::find(taken.begin(), taken.end(), unit) != taken.end() ||
                        std::any_of(go_counters.begin(), go_counters.end(),
                                    [&](const GoCounter& each) { return unit == each.exact || unit == each.sampled; });
  return is_taken ? "unit " + unit : unit;
}

ImportedMetric exact_metric(std::string name, std::string unit, Direction better, double value) {
  return {{std::move(name), std::move(unit), better, MetricKind::exact, false}, {}, value};
}

ImportedMetric timed_metric(std::string name, std::string unit, Direction better, std::vector<double> samples) {
  return {{std::move(name), std::move(unit), better, MetricKind::timed, false}, std::move(samples), std::nullopt};
}

void take_go_times(std::vector<double> values, double ns, ImportedCase& one) {
  for (double& value : values) {
    value *= ns;
    if (one.failure = invalid_time(value); !one.failure.empty()) return;
  }
  one.time_ns = std::move(values);
}

// A unit that is declared exact and is not.
struct GoVaried {
  std::string unit;
  std::optional<Direction> better;
  std::vector<double> values;
};

std::string not_exact(const GoVaried& varied) {
  const auto [low, high] = std::minmax_element(varied.values.begin(), varied.values.end());
  return fmt::format("{} is declared exact, but its values range from {:g} to {:g}", base::shown(varied.unit), *low,
                     *high);
}

// Judged beside the time where the file says what is better; the name is another one than where all samples agree, as of what package testing counts.
void take_varied(GoVaried varied, ImportedCase& one) {
  if (!one.note.empty()) one.note += "; ";
  one.note += not_exact(varied) + (varied.better ? "" : ": not compared");
  if (!varied.better) return;
  one.metrics.push_back(
      timed_metric(custom_name(varied.unit) + "_sampled", varied.unit, *varied.better, std::move(varied.values)));
  one.metrics.back().told = Told::of_unit;
  one.metrics.back().told_as = fmt::format("the line \"Unit {}\"", base::shown(varied.unit));
  one.metrics.back().metric.judged = true;
}

// TIME_UNIT: of the time of ONE.
void take_values(const std::string& unit, std::vector<double> values, const GoUnit& meaning, std::string_view time_unit,
                 ImportedCase& one, std::vector<GoVaried>& varied) {
  const auto counter =
      std::find_if(go_counters.begin(), go_counters.end(), [&](const GoCounter& each) { return each.unit == unit; });
  if (unit == time_unit) {
    take_go_times(std::move(values), unit == "ns/op" ? 1 : ns_per_s, one);
  } else if (counter != go_counters.end() && all_equal(values)) {
    one.metrics.push_back(exact_metric(counter->exact, counter->in, Direction::lower_is_better, values.front()));
  } else if (counter != go_counters.end()) {
    one.metrics.push_back(timed_metric(counter->sampled, counter->in, Direction::lower_is_better, std::move(values)));
  } else if (meaning.exact && all_equal(values)) {  // a change of an exact metric is one in either direction
    one.metrics.push_back(
        exact_metric(custom_name(unit), unit, meaning.better.value_or(Direction::lower_is_better), values.front()));
  } else if (meaning.exact) {
    varied.push_back({unit, meaning.better, std::move(values)});
  } else {
    ImportedMetric metric =
        timed_metric(custom_name(unit), unit, meaning.better.value_or(Direction::lower_is_better), std::move(values));
    metric.told = meaning.better ? Told::of_unit : Told::by_nobody;
    if (meaning.better) metric.told_as = fmt::format("the line \"Unit {}\"", base::shown(unit));
    metric.metric.judged = true;
    one.metrics.push_back(std::move(metric));
  }
}

// MB/s over the time of the same line is what b.SetBytes was given; the rate itself is judged where that changes, unless its
// rounding looks like a change.
void take_rate(std::vector<double> megabytes_per_s, ImportedCase& one) {
  if (megabytes_per_s.empty() || one.time_ns.empty()) return;
  const double bytes = std::round(megabytes_per_s.front() * bytes_per_megabyte * one.time_ns.front() / ns_per_s);
  if (bytes > 0 && std::isfinite(bytes)) one.bytes_per_call = bytes;
  const bool judged = *std::min_element(megabytes_per_s.begin(), megabytes_per_s.end()) >= least_judged_rate;
  one.metrics.push_back(timed_metric("MB/s", "MB/s", Direction::higher_is_better, std::move(megabytes_per_s)));
  one.metrics.back().metric.judged = judged;
}

// Lines that stand together and are on one level.
struct GoLevel {
  double low = 0;
  double high = 0;
  std::size_t lines = 1;

  [[nodiscard]] bool is_apart_from(double value) const {
    return value > another_level * low || another_level * value < high;
  }
};

std::vector<GoLevel> levels_of(const std::vector<double>& values, const std::vector<std::size_t>& starts) {
  std::vector<GoLevel> levels;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool begins = std::binary_search(starts.begin(), starts.end(), i);
    if (levels.empty() || begins || levels.back().is_apart_from(values[i])) {
      levels.push_back({values[i], values[i]});
      continue;
    }
    GoLevel& last = levels.back();
    last = {std::min(last.low, values[i]), std::max(last.high, values[i]), last.lines + 1};
  }
  std::sort(levels.begin(), levels.end(), [](const GoLevel& a, const GoLevel& b) { return a.low < b.low; });
  std::vector<GoLevel> joined;
  for (const GoLevel& each : levels) {
    if (joined.empty() || each.low > another_level * joined.back().high) {
      joined.push_back(each);
      continue;
    }
    joined.back().high = std::max(joined.back().high, each.high);
    joined.back().lines += each.lines;
  }
  return joined;
}

// Of a file that does not name packages: why the lines of one name may be those of several. One line that is apart from many others is noise, and so
// are two lines that stand together.
std::string two_packages(const std::vector<double>& values, const std::vector<std::size_t>& starts,
                         std::string_view unit) {
  std::vector<GoLevel> levels = levels_of(values, starts);
  if (levels.size() < 2 || (values.size() == 2 && starts.size() < 2)) return "";
  const auto is_single = [](const GoLevel& level) { return level.lines == 1; };
  if (values.size() > 2 && std::count_if(levels.begin(), levels.end(), is_single) == 1)
    std::erase_if(levels, is_single);
  if (levels.size() < 2) return "";
  return fmt::format(
      "its lines differ by more than a factor of {} in groups ({:.4g} and {:.4g} {}), and no line \"pkg:\" says of "
      "which package they are",
      another_level, levels.front().low, levels.back().high, unit);
}

}  // namespace

std::optional<GoResult> go_result_of(std::string_view line) {
  GoResult result;
  const std::string_view name = take_word(line);
  if (!name.starts_with(go_prefix) || name.size() == go_prefix.size()) return std::nullopt;
  result.name = name.substr(go_prefix.size());
  if (result.name.front() >= 'a' && result.name.front() <= 'z') return std::nullopt;  // "Benchmarking ..."
  if (!is_count(take_word(line), result.iterations)) return std::nullopt;
  for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
    const auto value = number_in(word);
    const std::string_view unit = take_word(line);
    if (!value || unit.empty() || result.values.size() == most_values) return std::nullopt;
    result.values.push_back({*value, unit});
  }
  return result.values.empty() ? std::nullopt : std::optional(std::move(result));
}

void add_go_metrics(const std::vector<GoResult::Value>& values, ImportedCase& one) {
  const GoUnits units;
  std::vector<double> rate;
  std::vector<GoVaried> none;  // units that a file declares
  for (const GoResult::Value& each : values) {
    if (!std::isfinite(each.value)) {
      one.failure = fmt::format("invalid value: {} {}", each.value, base::shown(each.unit));
      one.time_ns.clear();
      one.metrics.clear();
      return;
    }
    if (each.unit == "MB/s" && !one.time_ns.empty())
      rate = {each.value};
    else
      take_values(std::string(each.unit), {each.value}, units.of(each.unit), "", one, none);
  }
  take_rate(std::move(rate), one);
}

std::string_view procs_suffix(std::string_view name) {
  const std::size_t hyphen = name.rfind('-');
  std::int64_t procs = 0;
  if (hyphen == std::string_view::npos || !is_count(name.substr(hyphen + 1), procs)) return {};
  return name.substr(hyphen);
}

std::string GoProcess::add(const GoResult& result) {
  std::set<std::string_view> units;
  for (const GoResult::Value& each : result.values)
    if (!units.insert(each.unit).second)
      return fmt::format("{} has two values in {}", base::in_quotes(result.name), base::shown(each.unit));
  Benchmark* const of = benchmark(result.name);
  if (of == nullptr)
    return fmt::format("more than {} benchmarks, or a name longer than {} bytes", base::max_cases,
                       base::max_name_bytes);
  if (const std::string_view suffix = procs_suffix(result.name); !suffix.empty()) suffix_ = suffix;
  of->iterations = std::max(of->iterations, result.iterations);
  const auto place = static_cast<std::size_t>(of - benchmarks_.data());
  if (place != last_result_ || of->lines == 0) of->starts.push_back(of->lines);
  last_result_ = place;
  ++of->lines;
  for (const GoResult::Value& each : result.values) {
    const auto known = of->values.find(each.unit);
    auto& values = known != of->values.end() ? known->second : of->values[std::string(each.unit)];
    if (of->values.size() > static_cast<std::size_t>(base::max_metrics_of_case))
      return fmt::format("{} has more than {} units", base::in_quotes(result.name), base::max_metrics_of_case);
    if (!std::isfinite(each.value))
      of->failure = fmt::format("invalid value: {} {}", each.value, base::shown(each.unit));
    values.push_back(each.value);
  }
  return "";
}

void GoProcess::fail(std::string_view name, std::string_view why) {
  has_failed_ = true;
  Benchmark* const of = benchmark_with_suffix(name);
  if (of == nullptr || (why.empty() && !of->failure.empty())) return;
  of->failure = why.empty() ? "no reason given" : why;
}

void GoProcess::fail_all(const std::string& why) {
  for (Benchmark& each : benchmarks_)
    if (each.failure.empty() && each.skipped.empty()) each.failure = why;
}

void GoProcess::skip(std::string_view name, std::string_view why) {
  if (Benchmark* const of = benchmark_with_suffix(name)) of->skipped = why.empty() ? "no reason given" : why;
}

GoProcess::Benchmark* GoProcess::benchmark(std::string_view name) {
  if (last_ < benchmarks_.size() && benchmarks_[last_].name == name) return &benchmarks_[last_];
  const auto known = positions_.find(std::string(name));
  if (known == positions_.end()) {
    if (benchmarks_.size() == static_cast<std::size_t>(base::max_cases) || name.size() > base::max_name_bytes)
      return nullptr;
    positions_.emplace(name, benchmarks_.size());
    benchmarks_.emplace_back().name = name;
    last_ = benchmarks_.size() - 1;
  } else {
    last_ = known->second;
  }
  return &benchmarks_[last_];
}

// "--- FAIL: BenchmarkBroken" leaves out the "-8" that results have.
GoProcess::Benchmark* GoProcess::benchmark_with_suffix(std::string_view name) {
  const bool known = positions_.contains(std::string(name));
  if (known || suffix_.empty() || procs_suffix(name) == suffix_) return benchmark(name);
  return benchmark(std::string(name) + suffix_);
}

void GoProcess::move_to(ImportedProcess& process, const std::string& package, const GoUnits& units) {
  CaseList cases;
  std::set<std::string> without_verdict;
  for (Benchmark& each : benchmarks_) {
    ImportedCase one = case_of(std::move(each), package, units, without_verdict);
    if (const std::string wrong = cases.add(std::move(one)); !wrong.empty()) add_warning(process.warnings, wrong);
  }
  if (!without_verdict.empty()) {
    constexpr std::size_t most_named = 5;
    add_warning(
        process.warnings,
        fmt::format("{}: declared exact, but its values differ, not compared; a line \"Unit NAME better=lower\" "
                    "or better=higher without assume=exact has it judged",
                    base::some_of(without_verdict, most_named)));
  }
  cases.move_to(process);
  *this = GoProcess();
}

ImportedCase GoProcess::case_of(Benchmark benchmark, const std::string& package, const GoUnits& units,
                                std::set<std::string>& without_verdict) {
  ImportedCase one;
  one.run_name = std::string(go_prefix) + benchmark.name;
  one.name = package.empty() ? benchmark.name : package + '.' + benchmark.name;
  one.protocol = "go/1";
  one.calls_per_sample = std::max<std::int64_t>(benchmark.iterations, 1);
  one.failure = std::move(benchmark.failure);
  one.skipped = one.failure.empty() ? std::move(benchmark.skipped) : "";
  if (!one.failure.empty() || !one.skipped.empty()) return one;
  const std::string_view time_unit = benchmark.values.contains("ns/op") ? "ns/op" : "sec/op";  // beside it a metric
  const bool has_go_time = benchmark.values.contains(time_unit);
  if (package.empty() && has_go_time) {
    const std::vector<double>& times = benchmark.values.find(time_unit)->second;
    if (times.size() == benchmark.lines) one.ambiguous = two_packages(times, benchmark.starts, time_unit);
    one.ambiguous_by_levels = !one.ambiguous.empty();
  }
  std::vector<double> rate;
  std::vector<GoVaried> varied;
  for (auto& [unit, values] : benchmark.values) {
    if (unit == "MB/s" && has_go_time)
      rate = std::move(values);  // over that time, which may come later
    else
      take_values(unit, std::move(values), units.of(unit), time_unit, one, varied);
  }
  if (one.failure.empty()) take_rate(std::move(rate), one);
  if (!one.failure.empty()) {
    one.metrics.clear();
  } else if (one.time_ns.empty() && one.metrics.empty()) {
    one.skipped = varied.empty() ? "no value that can be compared" : not_exact(varied.front()) + ": not compared";
  } else {
    for (GoVaried& each : varied) {
      if (one.time_ns.empty()) each.better.reset();  // it would be what the case is judged by in this process only
      if (!each.better) without_verdict.insert(fmt::format("{} of {}", base::shown(each.unit), base::shown(one.name)));
      take_varied(std::move(each), one);
    }
  }
  return one;
}

}  // namespace torchgate::import
