// SPDX-License-Identifier: Apache-2.0
#include "harness/import/pyperf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include "harness/base/limits.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/import/bounds.hpp"
#include "harness/import/case_list.hpp"
#include "harness/import/json_keys.hpp"
#include "harness/import/lines.hpp"
#include "harness/import/own_facts.hpp"
#include "harness/import/python_facts.hpp"
#include "harness/json/json_reader.hpp"
#include "harness/record/fact_prefixes.hpp"

namespace torchgate::import {
namespace {

using json::JsonReader;
using record::FactClass;

struct PyperfFact {
  std::string_view name;
  FactClass fact_class;
};

// Of pyperf's own keys; all of them are those of pyperf 2.11. What is neither is the program's own.
constexpr std::array pyperf_facts{
    PyperfFact{"cpu_model_name", FactClass::host},  PyperfFact{"cpu_count", FactClass::host},
    PyperfFact{"hostname", FactClass::warn},        PyperfFact{"platform", FactClass::warn},
    PyperfFact{"cpu_affinity", FactClass::warn},    PyperfFact{"aslr", FactClass::warn},
    PyperfFact{"python_version", FactClass::warn},  PyperfFact{"python_implementation", FactClass::warn},
    PyperfFact{"python_compiler", FactClass::warn}, PyperfFact{"perf_version", FactClass::warn},
    PyperfFact{"timer", FactClass::warn},           PyperfFact{"python_gc", FactClass::warn},
    PyperfFact{"timeit_teardown", FactClass::warn}, PyperfFact{"cpu_config", FactClass::warn},
    PyperfFact{"cpu_quota", FactClass::warn},
};

// These change by themselves (load, clocks, temperatures), are paths, say the same in other words, or say how long was measured.
constexpr std::array<std::string_view, 28> other_pyperf_keys{"boot_time",
                                                             "calibrate_loops",
                                                             "calibrate_warmups",
                                                             "command_max_rss",
                                                             "cpu_freq",
                                                             "cpu_machine",
                                                             "cpu_temp",
                                                             "description",
                                                             "duration",
                                                             "hooks",
                                                             "load_avg_1min",
                                                             "pystats",
                                                             "python_cflags",
                                                             "python_config_args",
                                                             "python_executable",
                                                             "python_hash_seed",
                                                             "python_unicode",
                                                             "recalibrate_loops",
                                                             "recalibrate_warmups",
                                                             "runnable_threads",
                                                             "mem_peak_pagefile_usage",
                                                             "tags",
                                                             "timeit_duplicate",
                                                             "timeit_loops",
                                                             "tachyon_extra_opts",
                                                             "uptime",
                                                             "values",
                                                             "warmups"};

bool is_key_of_pyperf(std::string_view key) {
  return std::find(other_pyperf_keys.begin(), other_pyperf_keys.end(), key) != other_pyperf_keys.end();
}

// "metadata" of the file, of a benchmark or of a run: the inner ones win. pyperf writes what all runs of a benchmark share at the benchmark, and
// what all benchmarks share at the file: of one run, all of it.
struct PyperfMetadata {
  std::string name;
  std::string unit;
  std::string date;
  std::string program;                         // what is timed, where the name is the same for everything
  std::optional<record::Parameter> parameter;  // of the same: two programs are compared, two statements are not
  std::string setup;                           // what stands before it, as x = [0] * 1000: another one is other work
  std::string timer;
  std::optional<std::int64_t> loops;
  std::optional<std::int64_t> inner_loops;
  std::optional<std::int64_t> peak_bytes;
  std::vector<record::Parameter> noted;  // of the program itself: "torch_version"
};

// `pyperf timeit` and `pyperf command` call their benchmark "timeit" and "command" whatever it is.
constexpr std::size_t most_parameter_bytes = 4000;  // fewer than max_name_bytes, as it may be cut within a character

PyperfMetadata within(PyperfMetadata inner, const PyperfMetadata& outer) {
  for (std::string PyperfMetadata::*const text :
       {&PyperfMetadata::name, &PyperfMetadata::unit, &PyperfMetadata::date, &PyperfMetadata::program,
        &PyperfMetadata::setup, &PyperfMetadata::timer})
    if ((inner.*text).empty()) inner.*text = outer.*text;
  for (std::optional<std::int64_t> PyperfMetadata::*const number :
       {&PyperfMetadata::loops, &PyperfMetadata::inner_loops, &PyperfMetadata::peak_bytes})
    if (!(inner.*number)) inner.*number = outer.*number;
  if (!inner.parameter) inner.parameter = outer.parameter;
  return inner;
}

// Of `pyperf command` without its program, which is another one on each side, and without folders: "sum.py 100" of "/build/a/python /tmp/sum.py 100".
std::string arguments_of(std::string_view command) {
  std::string arguments;
  take_word(command);
  for (std::string_view word = take_word(command); !word.empty(); word = take_word(command))
    arguments.append(arguments.empty() ? "" : " ").append(word.substr(word.rfind('/') + 1));
  return arguments;
}

void read_pyperf_program(JsonReader& reader, std::string_view key, PyperfMetadata& metadata) {
  const std::string text = well_formed(reader.string().substr(0, most_parameter_bytes));
  metadata.program = base::shown(text);  // shorter: what differs behind it is in the parameter
  if (key == "timeit_stmt")
    metadata.parameter = {"statement", text};
  else if (std::string arguments = arguments_of(text); !arguments.empty())
    metadata.parameter = {"arguments", std::move(arguments)};
}

struct PyperfWorker {
  PyperfMetadata metadata;
  std::vector<std::optional<double>> values;
};

struct PyperfBenchmark {
  PyperfMetadata metadata;
  std::vector<PyperfWorker> workers;
};

// A file has one fact of each name, that of the first benchmark. What decides how this one is compared is read here.
void read_known(JsonReader& reader, ImportedProcess& facts, const PyperfFact& known, PyperfMetadata& metadata) {
  ImportedProcess here;
  read_fact(reader, here, std::string(known.name), known.fact_class);
  if (here.facts.empty()) return;
  record::MachineFact& fact = here.facts.front();
  if (known.name == "timer") metadata.timer = fact.value.value_or("");
  const bool is_known = std::any_of(facts.facts.begin(), facts.facts.end(),
                                    [&](const record::MachineFact& each) { return each.name == fact.name; });
  if (!is_known) facts.facts.push_back(std::move(fact));
}

// "clock_gettime(CLOCK_PROCESS_CPUTIME_ID), resolution: 1 ns" and "time.process_time" measure another time than the others, which differ in
// their resolution only.
std::string protocol_of_timer(std::string_view timer) {
  const auto says = [&](std::string_view word) { return timer.find(word) != std::string_view::npos; };
  if (says("PROCESS_CPUTIME") || says("process_time")) return "pyperf-process_time/1";
  if (says("THREAD_CPUTIME") || says("thread_time")) return "pyperf-thread_time/1";
  return "pyperf/1";
}

void read_noted_of_program(JsonReader& reader, std::string_view key, PyperfMetadata& metadata) {
  auto value = read_noted(reader);
  if (value && metadata.noted.size() < record::most_labels)
    metadata.noted.push_back({well_formed(key), *std::move(value)});
}

void read_pyperf_metadata(JsonReader& reader, PyperfMetadata& metadata, ImportedProcess* facts) {
  reader.object({}, [&](std::string_view key) {
    const auto known = std::find_if(pyperf_facts.begin(), pyperf_facts.end(),
                                    [&](const PyperfFact& fact) { return fact.name == key; });
    if (key == "name")
      metadata.name = reader.name();
    else if (key == "unit")
      metadata.unit = reader.name();
    else if (key == "date")
      metadata.date = reader.name();
    else if ((key == "timeit_stmt" || key == "command") && reader.peek() == JsonReader::Kind::string)
      read_pyperf_program(reader, key, metadata);
    else if (key == "timeit_setup" && reader.peek() == JsonReader::Kind::string)
      metadata.setup = well_formed(reader.string().substr(0, most_parameter_bytes));
    else if (key == "loops")
      metadata.loops = reader.integer(1, base::max_count);
    else if (key == "inner_loops")
      metadata.inner_loops = reader.integer(1, base::max_count);
    else if (key == "mem_max_rss")
      metadata.peak_bytes = reader.integer(0, base::max_bytes);
    else if (facts != nullptr && known != pyperf_facts.end())
      read_known(reader, *facts, *known, metadata);
    else if (facts != nullptr && !is_key_of_pyperf(key))
      read_noted_of_program(reader, key, metadata);
    else
      reader.skip();
  });
}

PyperfWorker read_pyperf_worker(JsonReader& reader) {
  PyperfWorker worker;
  reader.object({}, [&](std::string_view key) {
    if (key == "metadata")
      read_pyperf_metadata(reader, worker.metadata, nullptr);
    else if (key == "values")
      reader.array([&](std::int64_t) { worker.values.push_back(reader.finite_number()); });
    else
      reader.skip();  // warm-ups
  });
  return worker;
}

PyperfBenchmark read_pyperf_benchmark(JsonReader& reader, ImportedProcess& common) {
  PyperfBenchmark benchmark;
  reader.object({"runs"}, [&](std::string_view key) {
    if (key == "metadata")
      read_pyperf_metadata(reader, benchmark.metadata, &common);
    else if (key == "runs")
      reader.array(base::max_processes, [&](std::int64_t) {
        PyperfWorker worker = read_pyperf_worker(reader);
        if (!worker.values.empty()) benchmark.workers.push_back(std::move(worker));
      });
    else
      reader.skip();
  });
  return benchmark;
}

class PyperfSuite {
 public:
  explicit PyperfSuite(std::string where) : reader_where_(std::move(where)) {
    common_.file = reader_where_;
    common_.tool = "pyperf";
  }

  base::Result<std::vector<ImportedProcess>> read(std::string_view text) {
    JsonReader reader(text, reader_where_);
    reader.accept_non_finite();
    reader.object({"benchmarks"}, [&](std::string_view key) {
      if (key == "benchmarks")
        reader.array(base::max_groups,
                     [&](std::int64_t) { benchmarks_.push_back(read_pyperf_benchmark(reader, common_)); });
      else if (key == "metadata")
        read_pyperf_metadata(reader, suite_, &common_);
      else
        reader.skip();
    });
    reader.end();
    if (reader.failed()) return reader.error();
    for (const record::Parameter& each : suite_.noted) add_own_fact(common_, each.name, each.value);
    for (const PyperfBenchmark& each : benchmarks_) {
      if (const std::string wrong = add(each); !wrong.empty()) return bad_file(reader_where_, wrong);
    }
    if (processes_.empty())
      return bad_file(reader_where_, "no run has values; measure again without --calibrate-loops");
    std::move(common_.warnings.begin(), common_.warnings.end(), std::back_inserter(processes_.front().warnings));
    return std::move(processes_);
  }

 private:
  std::string add(const PyperfBenchmark& benchmark) {
    PyperfMetadata common = within(benchmark.metadata, suite_);
    if (common.name.empty()) return "a benchmark without a name";
    if (!names_.insert(common.name).second)
      return fmt::format("two benchmarks have the name {}", base::in_quotes(common.name));
    if (common.unit.empty()) common.unit = "second";
    if (processes_.size() + benchmark.workers.size() > static_cast<std::size_t>(base::max_processes))
      return fmt::format("more than {} runs", base::max_processes);
    if (benchmark.workers.empty())
      add_warning(common_.warnings,
                  fmt::format("{}: no run of {} has values", reader_where_, base::in_quotes(common.name)));
    for (const PyperfWorker& worker : benchmark.workers) add(worker, common);
    return "";
  }

  void add(const PyperfWorker& worker, const PyperfMetadata& of_benchmark) {
    const PyperfMetadata metadata = within(worker.metadata, of_benchmark);
    const std::string& name = of_benchmark.name;
    const std::string& unit = of_benchmark.unit;
    ImportedProcess process = common_;
    process.warnings.clear();
    process.group = name;
    process.program = metadata.program;
    process.peak_resident_bytes = metadata.peak_bytes;
    process.started = utc_of_python_date(metadata.date).value_or("");
    for (const record::Parameter& each : of_benchmark.noted) add_label(process, each.name, name, each.value);
    ImportedCase one;
    one.name = one.run_name = name;
    one.protocol = protocol_of_timer(metadata.timer);
    if (metadata.parameter) one.parameters.push_back(*metadata.parameter);
    if (!metadata.setup.empty()) one.parameters.push_back({"setup", metadata.setup});
    const std::int64_t loops = metadata.loops.value_or(1);
    const std::int64_t inner = metadata.inner_loops.value_or(1);
    one.calls_per_sample = loops <= most_calls / inner ? loops * inner : most_calls;
    if (unit != "second") one.metrics.push_back(metric_of_unit(unit));
    std::vector<double>& samples = unit == "second" ? one.time_ns : one.metrics.front().samples;
    const double factor = unit == "second" ? ns_per_s : 1;
    for (const std::optional<double>& value : worker.values) {
      if (one.failure = invalid_time(value ? std::optional(*value * factor) : std::nullopt); !one.failure.empty())
        break;
      samples.push_back(*value * factor);
    }
    if (!one.failure.empty()) samples.clear();
    process.cases.push_back(std::move(one));
    processes_.push_back(std::move(process));
  }

  // "integer" is a count of anything: its direction is the user's to say.
  static ImportedMetric metric_of_unit(const std::string& unit) {
    const bool bytes = unit == "byte";
    ImportedMetric metric{{bytes ? "memory" : value_metric, bytes ? "bytes" : unit, record::Direction::lower_is_better,
                           record::MetricKind::timed, true},
                          {},
                          std::nullopt};
    if (!bytes) metric.told = Told::by_nobody;
    return metric;
  }

  static constexpr std::int64_t most_calls = std::int64_t{1} << 53U;  // exact in a double

  std::string reader_where_;
  PyperfMetadata suite_;
  ImportedProcess common_;
  std::vector<PyperfBenchmark> benchmarks_;
  std::vector<ImportedProcess> processes_;
  std::set<std::string> names_;
};

}  // namespace

bool is_pyperf(std::string_view head) {
  return outer_keys(head).contains("benchmarks") && mentions(head, "runs") && mentions(head, "metadata") &&
         (mentions(head, "values") || mentions(head, "warmups"));
}

base::Result<std::vector<ImportedProcess>> read_pyperf(std::string_view text, const std::string& where) {
  return PyperfSuite(where).read(text);
}

}  // namespace torchgate::import
