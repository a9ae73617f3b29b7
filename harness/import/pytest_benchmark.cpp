// SPDX-License-Identifier: Apache-2.0
#include "harness/import/pytest_benchmark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "harness/base/limits.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/base/some_of.hpp"
#include "harness/import/bounds.hpp"
#include "harness/import/case_list.hpp"
#include "harness/import/imported_case.hpp"
#include "harness/import/json_keys.hpp"
#include "harness/import/lines.hpp"
#include "harness/import/own_facts.hpp"
#include "harness/import/pytest_extra_info.hpp"
#include "harness/import/pytest_parameters.hpp"
#include "harness/import/python_facts.hpp"
#include "harness/json/json_reader.hpp"
#include "harness/record/fact_prefixes.hpp"
#include "harness/record/short_commit.hpp"

namespace torchgate::import {
namespace {

using json::JsonReader;
using record::FactClass;

struct PytestStats {
  bool has_median = false;  // however invalid it is: then the mean does not stand for it
  std::optional<double> median_s;
  std::optional<double> mean_s;
  std::int64_t iterations = 1;
  std::vector<std::optional<double>> rounds_s;
};

// A list that was shortened by hand ("... omitted") is not the samples.
void read_rounds(JsonReader& reader, PytestStats& stats) {
  bool whole = true;
  reader.array([&](std::int64_t) {
    whole = whole && reader.peek() != JsonReader::Kind::string;
    if (whole)
      stats.rounds_s.push_back(reader.finite_number());
    else
      reader.skip();
  });
  if (!whole) stats.rounds_s.clear();
}

PytestStats read_pytest_stats(JsonReader& reader) {
  PytestStats stats;
  reader.object({}, [&](std::string_view key) {
    if (key == "median") {
      stats.has_median = true;
      stats.median_s = reader.finite_number();
    } else if (key == "mean")
      stats.mean_s = reader.finite_number();
    else if (key == "iterations")
      stats.iterations = reader.integer(1, base::max_count);
    else if (key == "data" && reader.peek() == JsonReader::Kind::array)
      read_rounds(reader, stats);
    else
      reader.skip();
  });
  return stats;
}

// What a user sets to make times steadier: another set-up gives other times.
constexpr std::array pytest_settings{std::string_view("disable_gc"), std::string_view("warmup"),
                                     std::string_view("min_rounds")};

// Of each setting its value in each benchmark, in their order.
using PytestSettings = std::map<std::string, std::vector<record::Parameter>, std::less<>>;
using SettingsOfOne = std::map<std::string, std::string, std::less<>>;

// Of pytest-benchmark itself; they say the same as others, or more than a comparison needs.
constexpr std::array<std::string_view, 4> other_machine_keys{"processor", "cpu", "python_build",
                                                             "python_implementation_version"};

// "process_time" of "time.process_time"; empty: it is the usual one, or not known.
std::string read_other_timer(JsonReader& reader, SettingsOfOne& settings) {
  std::string timer;
  if (reader.peek() != JsonReader::Kind::object) {
    reader.skip();
    return timer;
  }
  reader.object({}, [&](std::string_view key) {
    if (key == "timer" && reader.peek() == JsonReader::Kind::string)
      timer = reader.name();
    else if (std::find(pytest_settings.begin(), pytest_settings.end(), key) != pytest_settings.end() &&
             (reader.peek() == JsonReader::Kind::boolean || reader.peek() == JsonReader::Kind::number))
      settings[std::string(key)] = reader.skip();
    else
      reader.skip();
  });
  timer.erase(0, timer.rfind('.') + 1);
  const bool usual = timer == "perf_counter" || timer == "default_timer";  // the latter is timeit's name of it
  return usual ? "" : timer;
}

class PytestReader {
 public:
  PytestReader(std::string_view text, const std::string& where) : reader_(text, where) {
    reader_.accept_non_finite();
    process_.file = where;
    process_.tool = "pytest-benchmark";
  }

  base::Result<std::vector<ImportedProcess>> read() {
    reader_.object({"benchmarks"}, [&](std::string_view key) {
      if (key == "benchmarks")
        reader_.array(base::max_cases, [&](std::int64_t) { read_benchmark(); });
      else if (key == "machine_info")
        read_machine();
      else if (key == "commit_info")
        read_commit();
      else if (key == "datetime")
        process_.started = utc_of_python_date(reader_.name()).value_or("");
      else
        reader_.skip();
    });
    reader_.end();
    if (reader_.failed()) return reader_.error();
    if (cases_.empty()) return bad_file(process_.file, "no benchmarks; check what pytest selected");
    if (summaries_) {
      process_.no_spread =
          "pytest-benchmark's file has only the median of the rounds, so each case has one value per process and no "
          "spread; measure again with --benchmark-save-data";
    }
    add_settings();
    warn_of_left_out();
    cases_.move_to(process_);
    std::vector<ImportedProcess> processes;
    processes.push_back(std::move(process_));
    return processes;
  }

 private:
  void read_benchmark() {
    ImportedCase one;
    std::string short_name;
    std::string timer;
    PytestStats stats;
    PytestExtraInfo info;
    SettingsOfOne settings;
    reader_.object({"stats"}, [&](std::string_view key) {
      if (key == "fullname")
        one.name = reader_.name();
      else if (key == "name")
        short_name = reader_.name();
      else if (key == "params")
        read_pytest_parameters(reader_, one.parameters);
      else if (key == "stats")
        stats = read_pytest_stats(reader_);
      else if (key == "extra_info")
        info = read_pytest_extra_info(reader_);
      else if (key == "options")
        timer = read_other_timer(reader_, settings);
      else
        reader_.skip();
    });
    if (reader_.failed()) return;
    if (one.name.empty()) one.name = short_name;
    if (one.name.empty()) return reader_.fail("neither a \"fullname\" nor a \"name\"");
    one.run_name = one.name;
    one.protocol = timer.empty() ? "pytest-benchmark/1" : fmt::format("pytest-benchmark-{}/1", timer);
    one.calls_per_sample = stats.iterations;
    one.metrics = std::move(info.metrics);
    for (const auto& [setting, value] : settings) settings_[setting].push_back({one.name, value});
    for (record::Parameter& each : info.labels) add_label(process_, each.name, one.name, std::move(each.value));
    for (const std::string& name : info.too_many) too_many_.insert(of_case(name, one));
    for (const std::string& name : info.not_numbers) not_numbers_.insert(of_case(name, one));
    take_times(stats, one);
    if (const std::string wrong = cases_.add(std::move(one)); !wrong.empty()) reader_.fail(wrong);
  }

  // Where benchmarks have other ones, each counts: both could change places.
  void add_settings() {
    constexpr std::size_t most_benchmarks = 250;  // a run has room for these facts of three settings
    for (const auto& [setting, benchmarks] : settings_) {
      std::set<std::string> values;
      for (const record::Parameter& each : benchmarks) values.insert(each.value);
      process_.facts.push_back({setting, fmt::format("{}", fmt::join(values, ", ")), "", FactClass::warn});
      if (values.size() == 1) continue;
      for (std::size_t i = 0; i < std::min(benchmarks.size(), most_benchmarks); ++i) {
        std::string name = fmt::format("{}{} of {}", record::setting_prefix, setting, benchmarks[i].name);
        if (name.size() <= base::max_name_bytes)
          process_.facts.push_back({std::move(name), benchmarks[i].value, "", FactClass::warn});
      }
    }
  }

  static std::string of_case(const std::string& name, const ImportedCase& one) {
    return fmt::format("{} of {}", base::shown(name), base::shown(one.name));
  }

  void warn_of_left_out() {
    constexpr std::size_t most_named = 5;
    if (!not_numbers_.empty())
      add_warning(process_.warnings,
                  fmt::format("{}: a list of extra_info with something else than numbers, not compared",
                              base::some_of(not_numbers_, most_named)));
    if (!too_many_.empty())
      add_warning(process_.warnings,
                  fmt::format("{}: more than {} numbers in extra_info of one benchmark, not compared",
                              base::some_of(too_many_, most_named), most_extra_numbers));
  }

  void take_times(PytestStats& stats, ImportedCase& one) {
    // The mean is that of all rounds, outliers included (pytest_benchmark/stats.py).
    one.unused_samples = not_samples_of(stats.rounds_s, stats.mean_s, stats.median_s);
    if (stats.rounds_s.empty() || !one.unused_samples.empty()) {
      summaries_ = summaries_ || one.unused_samples.empty();
      mark_single_value(one, stats.has_median ? SingleValue::median : SingleValue::mean, "its rounds");
      stats.rounds_s = {stats.has_median ? stats.median_s : stats.mean_s};
    }
    for (const std::optional<double>& seconds : stats.rounds_s) {
      one.failure = invalid_time(seconds ? std::optional(*seconds * ns_per_s) : std::nullopt);
      if (!one.failure.empty()) break;
      one.time_ns.push_back(*seconds * ns_per_s);
    }
    if (one.failure.empty()) return;
    one.time_ns.clear();
    one.metrics.clear();
  }

  void read_machine() {
    reader_.object({}, [&](std::string_view key) {
      if (key == "machine")
        read_fact(reader_, process_, "machine", FactClass::host);
      else if (key == "node" || key == "system" || key == "release" || key == "python_version" ||
               key == "python_implementation" || key == "python_compiler")
        read_fact(reader_, process_, std::string(key), FactClass::warn);
      else if (key == "cpu" && reader_.peek() == JsonReader::Kind::object)
        read_cpu();
      else if (std::find(other_machine_keys.begin(), other_machine_keys.end(), key) != other_machine_keys.end())
        reader_.skip();
      else
        read_own(well_formed(key));
    });
  }

  // What a hook of the user adds (pytest_benchmark_update_machine_info), also in objects: "gpu.name".
  void read_own(const std::string& name) {
    if (reader_.peek() == JsonReader::Kind::object && name.size() <= base::max_name_bytes) {
      reader_.object({}, [&](std::string_view key) { read_own(fmt::format("{}.{}", name, well_formed(key))); });
    } else if (auto value = read_noted(reader_)) {
      add_own_fact(process_, name, *std::move(value));
    }
  }

  void read_cpu() {
    reader_.object({}, [&](std::string_view key) {
      if (key == "brand_raw" || key == "brand")
        read_fact(reader_, process_, "cpu_model", FactClass::host);
      else if (key == "count")
        read_fact(reader_, process_, "num_cpus", FactClass::host);
      else
        reader_.skip();
    });
  }

  void read_commit() {
    if (reader_.peek() != JsonReader::Kind::object) {
      reader_.skip();
      return;
    }
    std::string commit;
    bool dirty = false;
    reader_.object({}, [&](std::string_view key) {
      if (key == "id" && reader_.peek() == JsonReader::Kind::string)
        commit = reader_.name();
      else if (key == "project" && reader_.peek() == JsonReader::Kind::string)
        process_.program = reader_.name();
      else if (key == "dirty" && reader_.peek() == JsonReader::Kind::boolean)
        dirty = reader_.boolean();
      else
        reader_.skip();
    });
    if (!record::is_full_commit(commit)) return;
    process_.source.commit = commit;
    process_.source.modified = dirty;
  }

  JsonReader reader_;
  ImportedProcess process_;
  CaseList cases_;
  bool summaries_ = false;
  PytestSettings settings_;
  std::set<std::string> too_many_;  // "NAME of CASE", as of ExtraInfo
  std::set<std::string> not_numbers_;
};

}  // namespace

bool is_pytest_benchmark(std::string_view head) {
  const auto keys = outer_keys(head);
  return keys.contains("benchmarks") && (keys.contains("machine_info") || keys.contains("commit_info") ||
                                         (mentions(head, "fullname") && mentions(head, "stats")));
}

base::Result<std::vector<ImportedProcess>> read_pytest_benchmark(std::string_view text, const std::string& where) {
  return PytestReader(text, where).read();
}

}  // namespace torchgate::import
