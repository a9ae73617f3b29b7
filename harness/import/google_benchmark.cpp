// SPDX-License-Identifier: Apache-2.0
#include "harness/import/google_benchmark.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>

#include "harness/base/shown_text.hpp"
#include "harness/import/bounds.hpp"
#include "harness/import/google_benchmark_context.hpp"
#include "harness/import/google_benchmark_entries.hpp"
#include "harness/import/input_text.hpp"
#include "harness/import/lines.hpp"
#include "harness/import/raw_samples.hpp"
#include "harness/json/json_reader.hpp"

namespace torchgate::import {
namespace {

using json::JsonReader;
namespace fs = std::filesystem;

double read_time_unit(JsonReader& reader) {
  const std::string unit = reader.string();
  if (unit == "ns") return 1;
  if (unit == "us") return ns_per_us;
  if (unit == "ms") return ns_per_ms;
  if (unit == "s") return ns_per_s;
  reader.fail("expected one of ns, us, ms, s, found " + base::in_quotes(unit));
  return 1;
}

bool read_numbers(JsonReader& reader, GoogleBenchmarkEntry& entry, std::string_view key) {
  if (key == "real_time") {
    entry.has_real_time = true;
    entry.real_time = reader.finite_number();
  } else if (key == "cpu_time")
    entry.cpu_time = reader.finite_number();
  else if (key == "iterations") {
    entry.has_iterations = true;
    entry.iterations = reader.integer(0, base::max_count);
  } else if (key == "repetitions" && reader.peek() == JsonReader::Kind::number) {
    const auto repetitions = reader.finite_number();
    if (repetitions && *repetitions >= 0 && *repetitions <= static_cast<double>(base::max_count))
      entry.repetitions = static_cast<std::int64_t>(*repetitions);
  } else if (key == "threads" && reader.peek() == JsonReader::Kind::number) {
    const auto threads = reader.finite_number();  // a counter of that name stands behind it
    if (!entry.threads && threads && *threads >= 1 && *threads <= static_cast<double>(base::max_count))
      entry.threads = static_cast<std::int64_t>(*threads);
  } else if (key == "repetition_index")
    entry.repetition = reader.integer(0, base::max_count);
  else if (key == "family_index")
    entry.family = reader.integer(0, base::max_count);
  else if (key == "per_family_instance_index")
    entry.instance = reader.integer(0, base::max_count);
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

// Numbers that the library itself writes beside times and counters.
bool is_of_library(std::string_view key) {
  constexpr std::array<std::string_view, 6> keys{"family_index", "per_family_instance_index", "repetitions",
                                                 "threads",      "cpu_coefficient",           "real_coefficient"};
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

// Of the members that are left, a number is a counter and a text a label. Of one that is not finite nothing can be compared.
void read_counter(JsonReader& reader, GoogleBenchmarkEntry& entry, std::string_view key) {
  if (reader.peek() != JsonReader::Kind::number || is_of_library(key)) {
    reader.skip();
    return;
  }
  std::string name = well_formed(key);
  const auto value = reader.finite_number();
  if (!name.empty() && name.size() <= base::max_name_bytes) entry.counters.push_back({std::move(name), value});
}

GoogleBenchmarkEntry read_entry(JsonReader& reader) {
  GoogleBenchmarkEntry entry;
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
    } else if (key == "aggregate_name")
      entry.aggregate_name = reader.name();
    else if (key == "aggregate_unit")
      entry.percentage = reader.name() == "percentage";
    else if (key == "time_unit")
      entry.ns_per_unit = read_time_unit(reader);
    else if (key == "error_occurred")
      entry.error = reader.boolean() || entry.error;
    else if (key == "skipped")
      entry.skipped = reader.boolean() || entry.skipped;
    else if (key == "error_message" || key == "skip_message")
      entry.message = reader.string();
    else if (key == "label" && reader.peek() == JsonReader::Kind::string)
      entry.label = well_formed(reader.string(std::numeric_limits<std::size_t>::max()));
    else if (!read_numbers(reader, entry, key))
      read_counter(reader, entry, key);
  });
  if (entry.run_name.empty()) entry.run_name = entry.name;
  return entry;
}

// The library writes each key once: the other one is a counter of the program.
base::Error about_counters(base::Error error) {
  constexpr std::string_view twice = ": duplicate key; keep one of them";
  if (error.message.find(": /benchmarks/") == std::string::npos || !error.message.ends_with(twice)) return error;
  error.message.resize(error.message.size() - twice.size());
  error.message += ": duplicate key: a counter of the program has this name, too; rename the counter";
  return error;
}

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
  JsonReader reader(std::move(source), where);
  reader.accept_non_finite();
  ImportedProcess process;
  process.file = where;
  process.tool = "google-benchmark";
  GoogleBenchmarkEntries entries;
  reader.object({"benchmarks"}, [&](std::string_view key) {
    if (key == "context")
      read_google_benchmark_context(reader, process);
    else if (key == "benchmarks")
      reader.array([&](std::int64_t) {
        GoogleBenchmarkEntry entry = read_entry(reader);
        if (reader.failed()) return;
        if (const std::string wrong = entries.add(std::move(entry)); !wrong.empty()) reader.fail(wrong);
      });
    else
      reader.skip();
  });
  reader.end();
  if (reader.failed()) return about_counters(reader.error());
  return entries.finish(std::move(process));
}

base::Result<std::vector<ImportedProcess>> read_google_benchmark_file(const fs::path& path) {
  auto source = source_in(path);
  if (!source) return source.error();
  auto process = read_google_benchmark(std::move(source).value(), path.string());
  if (!process) return process.error();
  warn_of_conditions(*process);
  std::vector<ImportedProcess> processes;
  processes.push_back(std::move(process).value());
  return processes;
}

}  // namespace torchgate::import
