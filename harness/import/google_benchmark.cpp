// SPDX-License-Identifier: Apache-2.0
#include "harness/import/google_benchmark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "harness/base/counted.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/import/google_benchmark_context.hpp"
#include "harness/import/google_benchmark_name.hpp"
#include "harness/import/raw_samples.hpp"
#include "harness/json/json_reader.hpp"

namespace torchgate::import {
namespace {

using json::JsonReader;
namespace fs = std::filesystem;

constexpr double ns_per_s = 1e9;
constexpr double ns_per_ms = 1e6;
constexpr double ns_per_us = 1e3;
constexpr double longest_ns = 1e18;  // 31 years: what is longer was not measured

// One object of "benchmarks".
struct Entry {
  std::string name;
  std::string run_name;  // version 1.5 on; before, there is only the name
  std::string run_type;  // version 1.5 on
  std::optional<std::int64_t> repetition;
  std::int64_t iterations = 1;
  bool has_real_time = false;
  std::optional<double> real_time;  // absent: NaN or infinite
  std::optional<double> cpu_time;
  double ns_per_unit = 1;
  std::optional<double> items_per_second;
  std::optional<double> peak_bytes;
  std::optional<double> allocations;
  std::optional<double> sample_run;
  bool fitted = false;  // a row of complexity: a curve through others, not statistics of them
  bool error = false;
  bool skipped = false;
  std::string message;
};

// One repetition of a benchmark: a sample.
struct Repetition {
  std::int64_t index = 0;
  double time_ns = 0;
  double cpu_ns = 0;
  double items_per_second = 0;  // 0: not counted
  std::optional<double> sample_run;
};

// A counter is exact when all repetitions say the same.
struct ExactCounter {
  std::optional<double> value;
  bool differs = false;

  void add(std::optional<double> next) {
    if (!next || (value && *value != *next)) differs = true;
    value = next;
  }
  [[nodiscard]] std::optional<double> agreed() const { return differs ? std::nullopt : value; }
};

// All entries of one run name.
struct Benchmark {
  std::string run_name;
  std::vector<Repetition> repetitions;
  bool cpu_time_known = true;
  bool only_aggregates = true;
  std::int64_t calls_per_sample = 1;
  ExactCounter peak_bytes;
  ExactCounter allocations;
  std::string failure;
  std::string skipped;
};

double read_time_unit(JsonReader& reader) {
  const std::string unit = reader.string();
  if (unit == "ns") return 1;
  if (unit == "us") return ns_per_us;
  if (unit == "ms") return ns_per_ms;
  if (unit == "s") return ns_per_s;
  reader.fail("expected one of ns, us, ms, s, found " + base::in_quotes(unit));
  return 1;
}

void read_message(JsonReader& reader, Entry& entry, bool& flag) {
  flag = reader.boolean() || flag;
  if (flag && entry.message.empty()) entry.message = "no reason given";
}

bool read_numbers(JsonReader& reader, Entry& entry, std::string_view key) {
  if (key == "real_time") {
    entry.has_real_time = true;
    entry.real_time = reader.finite_number();
  } else if (key == "cpu_time")
    entry.cpu_time = reader.finite_number();
  else if (key == "iterations")
    entry.iterations = reader.integer(0);
  else if (key == "repetition_index")
    entry.repetition = reader.integer(0);
  else if (key == "items_per_second")
    entry.items_per_second = reader.finite_number();
  else if (key == "max_bytes_used")
    entry.peak_bytes = reader.finite_number();
  else if (key == "allocs_per_iter")
    entry.allocations = reader.finite_number();
  else if (key == sample_run_counter)
    entry.sample_run = reader.finite_number();
  else
    return false;
  return true;
}

Entry read_entry(JsonReader& reader) {
  Entry entry;
  reader.object({"name"}, [&](std::string_view key) {
    if (key == "name")
      entry.name = reader.name();
    else if (key == "run_name")
      entry.run_name = reader.name();
    else if (key == "run_type")
      entry.run_type = reader.name();
    else if (key == "big_o" || key == "rms") {
      entry.fitted = true;
      reader.skip();
    } else if (key == "time_unit")
      entry.ns_per_unit = read_time_unit(reader);
    else if (key == "error_occurred")
      read_message(reader, entry, entry.error);
    else if (key == "skipped")
      read_message(reader, entry, entry.skipped);
    else if (key == "error_message" || key == "skip_message")
      entry.message = reader.string();
    else if (!read_numbers(reader, entry, key))
      reader
          .skip();  // labels, families, counters of the program's own: in which direction those are better is not said
  });
  if (entry.run_name.empty()) entry.run_name = entry.name;
  return entry;
}

// The file has a rate, over real or CPU time; the count behind it is what a case has whatever its time. It is a whole number
// nearly always, and the division must not show.
std::optional<double> items_of(double per_second, double time_ns) {
  constexpr double rounding = 1e-6;
  const double items = per_second * time_ns / ns_per_s;
  if (!(items > 0) || !std::isfinite(items)) return std::nullopt;
  const double whole = std::round(items);
  return whole > 0 && std::abs(items - whole) < rounding * whole ? whole : items;
}

class GoogleBenchmarkReader {
 public:
  GoogleBenchmarkReader(base::TextSource source, const std::string& file) : reader_(std::move(source), file) {
    reader_.accept_non_finite();
    process_.file = file;
    process_.tool = "google-benchmark";
  }

  base::Result<ImportedProcess> read() {
    reader_.object({"benchmarks"}, [&](std::string_view key) {
      if (key == "context")
        read_google_benchmark_context(reader_, process_);
      else if (key == "benchmarks")
        reader_.array([&](std::int64_t) { add(read_entry(reader_)); });
      else
        reader_.skip();
    });
    reader_.end();
    if (reader_.failed()) return reader_.error();
    if (auto possible = check_measured(); !possible) return possible.error();
    make_cases();
    return std::move(process_);
  }

 private:
  void add(Entry entry) {
    if (reader_.failed()) return;
    if (is_aggregate(entry)) {
      // Noted, in case nothing else comes of that name. Before version 1.5 something has.
      if (!entry.run_type.empty() && !entry.fitted) benchmark(entry.run_name);
      return;
    }
    Benchmark& of = benchmark(entry.run_name);
    of.only_aggregates = false;
    if (entry.error) {
      of.failure = std::move(entry.message);
    } else if (entry.skipped) {
      of.skipped = std::move(entry.message);
    } else if (!entry.has_real_time) {
      reader_.fail("missing key \"real_time\"");
    } else if (std::string why = no_time(entry); !why.empty()) {
      of.failure = std::move(why);
    } else {
      add_repetition(of, entry);
    }
  }

  // An invalid time fails its own benchmark, not the file: the others are judged.
  static std::string no_time(const Entry& entry) {
    if (!entry.real_time) return "invalid real_time: NaN or infinite";
    const double ns = *entry.real_time * entry.ns_per_unit;
    if (ns >= 0 && ns <= longest_ns) return "";
    return fmt::format("invalid real_time: {:g} ns", ns);
  }

  void add_repetition(Benchmark& of, const Entry& entry) {
    // Before version 1.5 repetitions have no number, but stand in their order.
    const auto position = static_cast<std::int64_t>(of.repetitions.size());
    const bool cpu_known = entry.cpu_time && *entry.cpu_time >= 0 && *entry.cpu_time * entry.ns_per_unit <= longest_ns;
    of.repetitions.push_back({entry.repetition.value_or(position), *entry.real_time * entry.ns_per_unit,
                              cpu_known ? *entry.cpu_time * entry.ns_per_unit : 0, entry.items_per_second.value_or(0),
                              entry.sample_run});
    of.cpu_time_known = of.cpu_time_known && cpu_known;
    of.calls_per_sample = std::max(of.calls_per_sample, entry.iterations);
    of.peak_bytes.add(entry.peak_bytes);
    of.allocations.add(entry.allocations);
  }

  // From version 1.5 on, run_type is given. Before, "BM_x_mean" comes after the repetitions of "BM_x".
  [[nodiscard]] bool is_aggregate(const Entry& entry) const {
    if (!entry.run_type.empty()) return entry.run_type == "aggregate";
    constexpr std::array<std::string_view, 6> endings{"_mean", "_median", "_stddev", "_cv", "_BigO", "_RMS"};
    return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) {
      return entry.name.ends_with(ending) &&
             positions_.count(entry.name.substr(0, entry.name.size() - ending.size())) > 0;
    });
  }

  // Repetitions stand together unless they were interleaved.
  Benchmark& benchmark(const std::string& run_name) {
    if (last_ < benchmarks_.size() && benchmarks_[last_].run_name == run_name) return benchmarks_[last_];
    if (benchmarks_.size() == static_cast<std::size_t>(base::max_cases) && !positions_.contains(run_name)) {
      reader_.fail("more than " + std::to_string(base::max_cases) + " benchmarks with different names");
      return benchmarks_.back();
    }
    const auto [at, is_new] = positions_.try_emplace(run_name, benchmarks_.size());
    if (is_new) benchmarks_.emplace_back().run_name = run_name;
    last_ = at->second;
    return benchmarks_[last_];
  }

  base::Result<void> check_measured() {
    const auto bad = [&](const std::string& what) {
      return base::Error{base::ErrorCode::bad_input, process_.file + ": " + what};
    };
    if (benchmarks_.empty()) return bad("no benchmarks; check its --benchmark_filter");
    const auto aggregates = std::count_if(benchmarks_.begin(), benchmarks_.end(),
                                          [](const Benchmark& each) { return each.only_aggregates; });
    if (static_cast<std::size_t>(aggregates) == benchmarks_.size()) {
      return bad(
          "only aggregates, but a verdict needs each repetition; measure again with "
          "--benchmark_report_aggregates_only=false");
    }
    if (aggregates > 0) {
      const auto first = std::find_if(benchmarks_.begin(), benchmarks_.end(),
                                      [](const Benchmark& each) { return each.only_aggregates; });
      process_.warnings.push_back(
          fmt::format("{}: ignored {} with only aggregates, e.g. {}; measure again with "
                      "--benchmark_report_aggregates_only=false",
                      process_.file, base::counted(aggregates, "benchmark", "benchmarks"), first->run_name));
      std::erase_if(benchmarks_, [](const Benchmark& each) { return each.only_aggregates; });
    }
    return {};
  }

  // Sorted, so that neither the order of the file nor shuffled repetitions make another run.
  void make_cases() {
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

  ImportedCase make_case(Benchmark benchmark, const GoogleBenchmarkName& name, bool ambiguous) {
    ImportedCase result;
    result.name = ambiguous ? benchmark.run_name : name.name;
    result.run_name = benchmark.run_name;
    result.parameters = name.parameters;
    result.protocol = google_benchmark_protocol(name);
    result.failure = std::move(benchmark.failure);
    result.skipped = std::move(benchmark.skipped);
    if (!result.failure.empty() || !result.skipped.empty()) return result;
    const auto in_time = [](const Repetition& a, const Repetition& b) {
      return std::pair(a.index, a.time_ns) < std::pair(b.index, b.time_ns);
    };
    std::sort(benchmark.repetitions.begin(), benchmark.repetitions.end(), in_time);
    warn_of_twins(benchmark);
    result.calls_per_sample = benchmark.calls_per_sample;
    result.peak_bytes = benchmark.peak_bytes.agreed();
    result.allocations = benchmark.allocations.agreed();
    const Repetition& first = benchmark.repetitions.front();
    result.items_per_call = items_of(first.items_per_second, name.real_time ? first.time_ns : first.cpu_ns);
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

  void warn_of_twins(const Benchmark& benchmark) {
    const auto twin = std::adjacent_find(benchmark.repetitions.begin(), benchmark.repetitions.end(),
                                         [](const Repetition& a, const Repetition& b) { return a.index == b.index; });
    if (twin == benchmark.repetitions.end()) return;
    process_.warnings.push_back(
        fmt::format("{0}: duplicate repetition {2} of {1} (is the name registered twice?); all are used as samples "
                    "of one case",
                    process_.file, benchmark.run_name, twin->index));
  }

  JsonReader reader_;
  ImportedProcess process_;
  std::vector<Benchmark> benchmarks_;
  std::unordered_map<std::string, std::size_t> positions_;
  std::size_t last_ = 0;
};

}  // namespace

bool is_google_benchmark(std::string_view head) {
  bool context = false;
  bool benchmarks = false;
  JsonReader reader(head, "head");
  reader.accept_non_finite();
  reader.object({}, [&](std::string_view key) {
    context = context || key == "context";
    benchmarks = benchmarks || key == "benchmarks";
    reader.skip();  // fails where the head ends
  });
  const auto says = [&](std::string_view word) { return head.find(word) != std::string_view::npos; };
  return (context && (says("\"num_cpus\"") || says("\"library_build_type\""))) || (benchmarks && says("\"real_time\""));
}

base::Result<ImportedProcess> read_google_benchmark(base::TextSource source, const std::string& where) {
  return GoogleBenchmarkReader(std::move(source), where).read();
}

base::Result<std::vector<ImportedProcess>> read_google_benchmark_file(const fs::path& path) {
  auto source = base::text_of_file(path);
  if (!source) return source.error();
  auto process = read_google_benchmark(std::move(source).value(), path.string());
  if (!process) return process.error();
  std::vector<ImportedProcess> processes;
  processes.push_back(std::move(process).value());
  return processes;
}

}  // namespace torchgate::import
