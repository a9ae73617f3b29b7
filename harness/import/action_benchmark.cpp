// SPDX-License-Identifier: Apache-2.0
#include "harness/import/action_benchmark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "harness/base/counted.hpp"
#include "harness/base/limits.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/base/some_of.hpp"
#include "harness/base/timestamp.hpp"
#include "harness/import/action_entry.hpp"
#include "harness/import/bounds.hpp"
#include "harness/import/case_list.hpp"
#include "harness/import/go_process.hpp"
#include "harness/import/imported_case.hpp"
#include "harness/import/json_keys.hpp"
#include "harness/import/lines.hpp"
#include "harness/import/units.hpp"
#include "harness/json/json_reader.hpp"
#include "harness/record/short_commit.hpp"

namespace torchgate::import {
namespace {

using json::JsonReader;
using record::Direction;

constexpr std::string_view script_start = "window.BENCHMARK_DATA";

constexpr std::size_t most_units_of_line = 100;

// 2100-01-01: a later date was not measured.
constexpr double latest_ms = 4102444800e3;

// As records have times. Empty: the entry has no date, or one that cannot be.
std::string time_of(const ActionEntry& entry) {
  if (!(entry.date_ms > 0) || entry.date_ms > latest_ms) return "";
  const std::chrono::milliseconds since(static_cast<std::int64_t>(entry.date_ms));
  return base::utc_timestamp(std::chrono::sys_time<std::chrono::milliseconds>(since));
}

constexpr std::string_view smaller_tool = "customSmallerIsBetter";
constexpr std::string_view bigger_tool = "customBiggerIsBetter";

// Lists of values are written by anything, and may be rounded to a unit: of 0 ci/gate knows whether the other side has it, too. A tool that measures has no
// time of 0.
bool may_round(std::string_view tool) {
  return tool.empty() || tool == smaller_tool || tool == bigger_tool;
}

// Tools of the action that always print the same unit or, with it, the same kind of value. Go's b.ReportMetric and JMH's modes are
// in the unit alone, whichever way the action compares them.
std::optional<Direction> direction_of_tool(std::string_view tool) {
  constexpr std::array<std::string_view, 6> smaller{"cargo", "googlecpp",       "catch2",
                                                    "julia", "benchmarkdotnet", "benchmarkluau"};
  constexpr std::array<std::string_view, 2> bigger{"benchmarkjs", "pytest"};
  if (std::find(smaller.begin(), smaller.end(), tool) != smaller.end()) return Direction::lower_is_better;
  if (std::find(bigger.begin(), bigger.end(), tool) != bigger.end()) return Direction::higher_is_better;
  return std::nullopt;
}

// Who says it, as the first metric of a case without a time has it.
void tell_direction(std::string_view tool, ImportedMetric& value) {
  if (tool == smaller_tool || tool == bigger_tool) {
    value.metric.direction = tool == smaller_tool ? Direction::lower_is_better : Direction::higher_is_better;
    value.told = Told::by_file;
    value.told_as = tool;
    return;
  }
  const auto direction = direction_of_tool(tool);
  const bool unit_says = meaning_of_unit(value.metric.unit).better.has_value();
  value.metric.direction = direction.value_or(Direction::lower_is_better);
  value.told = direction && !unit_says ? Told::by_file : Told::by_nobody;
  value.told_as = tool;
}

// Its time, or what else it is, of TOOL.
void take_value(const ActionBench& bench, const std::string& tool, ImportedCase& one) {
  const UnitMeaning meaning = meaning_of_unit(bench.unit);
  const bool finite = bench.value && std::isfinite(*bench.value);
  ImportedMetric value{{value_metric, bench.unit.empty() ? "1" : bench.unit, Direction::lower_is_better,
                        record::MetricKind::timed, true},
                       {bench.value.value_or(0)},
                       std::nullopt};
  tell_direction(tool, value);
  if (finite && !meaning.per.empty() && tool != bigger_tool) {
    // Another kind of work is another value, which no other unit of time makes comparable.
    value.metric.unit = fmt::format("ns/{}", meaning.per);
    value.samples = {*bench.value * *meaning.ns};
    if (*bench.value < 0 || (*bench.value == 0 && !may_round(tool)))
      one.failure = fmt::format("invalid value: {:g} {}", *bench.value, bench.unit);
    one.metrics.push_back(std::move(value));
  } else if (!bench.not_a_number.empty()) {
    one.failure = "invalid value: " + bench.not_a_number;
  } else if (meaning.is_time() && tool != bigger_tool) {
    if (finite) one.value_of_time = std::move(value);
    one.failure = invalid_time(bench.value ? std::optional(*bench.value * *meaning.ns) : std::nullopt);
    if (one.failure.empty() && *bench.value == 0 && !may_round(tool)) one.failure = measures_nothing(0);
    if (one.failure.empty()) one.time_ns = {*bench.value * *meaning.ns};
  } else if (!finite) {
    one.failure = "invalid value: NaN or infinite";
  } else {
    one.metrics.push_back(std::move(value));
  }
}

// "ns/op\t 16 B/op\t 1 allocs/op": the action has the rest of a line of Go in the unit. What stands behind the first unit; absent: the text is a unit.
std::optional<std::vector<GoResult::Value>> values_behind_unit(std::string_view line) {
  std::vector<GoResult::Value> values;
  std::set<std::string_view> units{take_word(line)};
  for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
    const auto value = number_in(word);
    const std::string_view unit = take_word(line);
    if (!value || unit.empty() || !units.insert(unit).second || units.size() > most_units_of_line) return std::nullopt;
    values.push_back({*value, unit});
  }
  return values;
}

class ActionReader {
 public:
  ActionReader(std::string_view text, const std::string& where) : reader_(text, where) {
    reader_.accept_non_finite();
    process_.file = where;
    process_.tool = "github-action-benchmark";
    process_.never_dated = true;
    process_.no_spread =
        "github-action-benchmark's data has one value per case and no spread: a change cannot be told from noise; give "
        "the files of the tool that measured";
  }

  base::Result<std::vector<ImportedProcess>> read() {
    if (reader_.peek() == JsonReader::Kind::array)
      read_list();
    else
      read_data();
    reader_.end();
    if (reader_.failed()) return reader_.error();
    if (cases_.empty()) return bad_file(process_.file, "no benchmarks");
    warn_of_earlier_commits();
    cases_.move_to(process_);
    std::vector<ImportedProcess> processes;
    processes.push_back(std::move(process_));
    return processes;
  }

 private:
  void read_list() {
    reader_.array(base::max_cases, [&](std::int64_t) {
      ActionBench bench = read_action_bench(reader_);
      if (!bench.has_value) reader_.fail("missing key \"value\"");
      if (!reader_.failed()) add("", {}, std::move(bench));
    });
  }

  void read_data() {
    reader_.object({"entries"}, [&](std::string_view key) {
      if (key == "entries")
        reader_.object({}, [&](std::string_view suite) { read_suite(std::string(suite)); });
      else
        reader_.skip();
    });
  }

  void read_suite(const std::string& suite) {
    std::optional<ActionEntry> newest;
    std::int64_t count = 0;
    reader_.array([&](std::int64_t) {
      ActionEntry entry = read_action_entry(reader_);
      ++count;
      if (!newest || entry.date_ms >= newest->date_ms) newest = std::move(entry);
    });
    if (reader_.failed() || !newest) return;
    if (count > 1) {
      add_warning(process_.warnings,
                  fmt::format("{}: {} has {}; the newest one{} was imported", process_.file, base::in_quotes(suite),
                              base::counted(count, "entry", "entries"),
                              newest->commit.empty() ? "" : ", of commit " + base::shown(newest->commit)));
    }
    take_time(*newest);
    for (const std::string& warning : leave_out_others(*newest))
      add_warning(process_.warnings, fmt::format("{}: {}: {}", process_.file, base::in_quotes(suite), warning));
    names_.clear();
    for (const ActionBench& bench : newest->benches) names_.insert(bench.name);
    for (ActionBench& bench : newest->benches) {
      if (!reader_.failed()) add(suite, *newest, std::move(bench));
    }
    commits_.emplace_back(suite, std::move(newest->commit));
  }

  // The commit is that of the time.
  void take_time(const ActionEntry& entry) {
    const std::string time = time_of(entry);
    if (time < process_.started) return;
    process_.started = time;
    newest_commit_ = entry.commit;
  }

  // Of a suite that was not run again the action keeps the entry of the last commit that it was run for.
  void warn_of_earlier_commits() {
    constexpr std::size_t most_named = 3;
    if (record::is_full_commit(newest_commit_)) process_.source.commit = newest_commit_;
    if (newest_commit_.empty() || process_.started.empty()) return;
    std::vector<std::string> names;
    for (const auto& [suite, commit] : commits_)
      if (!commit.empty() && commit != newest_commit_) names.push_back(base::in_quotes(suite));
    if (names.empty()) return;
    add_warning(
        process_.warnings,
        fmt::format("{}: {} not measured for commit {}, that of the newest entry: {}; run all suites for each "
                    "commit",
                    process_.file, base::counted(static_cast<std::int64_t>(names.size()), "suite was", "suites were"),
                    base::shown(record::short_commit(newest_commit_)), base::some_of(names, most_named)));
  }

  void add(const std::string& suite, const ActionEntry& entry, ActionBench bench) {
    const std::string& tool = entry.tool;
    const std::string line = bench.unit;
    auto behind = tool == "go" ? values_behind_unit(line) : std::nullopt;
    if (behind) {
      std::string_view rest = line;
      bench.unit = take_word(rest);
      // Since version 1.18 the action has each of them as an entry of its own, too.
      std::erase_if(*behind, [&](const GoResult::Value& each) {
        return names_.contains(fmt::format("{} - {}", bench.name, each.unit));
      });
    }
    ImportedCase one;
    one.name = one.run_name = suite.empty() ? bench.name : suite + '/' + bench.name;
    one.protocol = "github-action-benchmark/1";
    one.note = "the file has a single value";
    one.only_summary = true;  // no format of the action says of how many calls
    if (!bench.summary.empty())
      mark_single_value(one, bench.summary == "mean" ? SingleValue::mean : SingleValue::median, "its repetitions");
    one.measured_at = time_of(entry);
    take_value(bench, tool, one);
    if (behind && one.failure.empty()) add_go_metrics(*behind, one);
    if (const std::string wrong = cases_.add(std::move(one)); !wrong.empty()) reader_.fail(wrong);
  }

  JsonReader reader_;
  ImportedProcess process_;
  CaseList cases_;
  std::set<std::string> names_;                               // of the entry that is added
  std::vector<std::pair<std::string, std::string>> commits_;  // of each suite's newest entry
  std::string newest_commit_;
};

// What of TEXT is JSON: all of it, or what is assigned in data.js.
std::string_view json_part(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const auto skip_blanks = [&] { text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size())); };
  skip_blanks();
  if (!text.starts_with(script_start)) return text;
  text.remove_prefix(script_start.size());
  skip_blanks();
  if (text.starts_with('=')) text.remove_prefix(1);
  while (!text.empty() && (blanks.find(text.back()) != std::string_view::npos || text.back() == ';'))
    text.remove_suffix(1);
  return text;
}

}  // namespace

bool is_action_benchmark(std::string_view head) {
  constexpr std::string_view blanks = " \t\r\n";
  head.remove_prefix(std::min(head.find_first_not_of(blanks), head.size()));
  if (head.starts_with(script_start)) return true;
  if (head.starts_with('[')) return mentions(head, "name") && mentions(head, "value") && mentions(head, "unit");
  const auto keys = outer_keys(head);
  return keys.contains("entries") &&
         (keys.contains("lastUpdate") || keys.contains("repoUrl") || mentions(head, "benches"));
}

base::Result<std::vector<ImportedProcess>> read_action_benchmark(std::string_view text, const std::string& where) {
  return ActionReader(json_part(text), where).read();
}

}  // namespace torchgate::import
