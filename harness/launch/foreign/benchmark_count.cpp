// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/foreign/benchmark_count.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "harness/json/json_reader.hpp"
#include "harness/launch/count/callgrind_parts.hpp"
#include "harness/launch/foreign/benchmark_listing.hpp"
#include "harness/launch/report_file.hpp"
#include "harness/launch/suite_process.hpp"

namespace torchgate::launch {
namespace {

using json::JsonReader;

/// Called when the loop begins and when it has ended, since version 1.2.
constexpr const char* loop_begins = "_ZN9benchmark5State16StartKeepRunningEv";
constexpr const char* loop_has_ended = "_ZN9benchmark5State17FinishKeepRunningEv";
constexpr const char* timer_paused = "_ZN9benchmark5State11PauseTimingEv";

/// One repetition is one iteration, whatever the case asks for, unless its name has /min_time: or /iterations:.
constexpr const char* least_time = "--benchmark_min_time=0.000000001";

/// Of a benchmark that gives the time of an iteration itself (UseManualTime).
constexpr std::string_view manual_time = "/manual_time";

struct Reported {
  std::vector<double> iterations;  ///< of each repetition
  bool threads = false;            ///< more than one
  bool manual_time = false;        ///< what is timed is only a part of the loop
  std::string error;
};

/// One object of "benchmarks".
struct Row {
  std::string name;
  std::string type = "iteration";
  bool failed = false;
  std::string message;
  double threads = 1;
  double iterations = 0;
};

// A member of another kind counts as missing: the file is the program's, and a counter may have any name.
Row read_row(JsonReader& reader) {
  Row row;
  reader.object({}, [&](std::string_view key) {
    const JsonReader::Kind kind = reader.peek();
    const bool is_text = kind == JsonReader::Kind::string;
    const bool is_number = kind == JsonReader::Kind::number;
    if (is_text && key == "name") {
      row.name = reader.string();
    } else if (is_text && key == "run_type") {
      row.type = reader.string();
    } else if (is_text && key == "error_message") {
      row.message = reader.string();
    } else if (kind == JsonReader::Kind::boolean && key == "error_occurred") {
      row.failed = reader.boolean();
    } else if (is_number && key == "threads") {
      row.threads = reader.finite_number().value_or(row.threads);
    } else if (is_number && key == "iterations") {
      row.iterations = reader.finite_number().value_or(row.iterations);
    } else {
      reader.skip();
    }
  });
  return row;
}

void add(const Row& row, Reported& reported) {
  if (row.type != "iteration") return;
  if (row.name.find(manual_time) != std::string::npos) reported.manual_time = true;
  if (row.failed) reported.error = "it reported an error: " + row.message;
  if (row.threads > 1) reported.threads = true;
  reported.iterations.push_back(row.iterations);
}

Reported read_report(const std::filesystem::path& folder) {
  Reported reported;
  const auto text = ReportFile(folder / "report.json").text(report_limit_bytes);
  if (!text) {
    reported.error = "its process wrote no report: " + text.error().message;
    return reported;
  }
  JsonReader reader(*text, "its report");
  reader.accept_non_finite();
  bool has_rows = false;
  reader.object({}, [&](std::string_view key) {
    has_rows = has_rows || key == "benchmarks";
    if (key != "benchmarks") return static_cast<void>(reader.skip());
    reader.array([&](std::int64_t) { add(read_row(reader), reported); });
  });
  reader.end();
  if (reader.failed())
    reported.error = reader.error().message;
  else if (!has_rows)
    reported.error = "its report is not one of Google Benchmark";
  return reported;
}

bool was_paused(const CallgrindPart& part) {
  return std::any_of(part.functions.begin(), part.functions.end(),
                     [](const auto& each) { return each.first.name == timer_paused; });
}

ProcessCount unknown(std::string why) {
  ProcessCount count;
  count.unknown = std::move(why);
  return count;
}

}  // namespace

// Both functions are left out of what is counted: where they are entered it is switched off, and where they are left it is switched on.
// --collect-atstart comes last: each --toggle-collect sets it to "no".
std::vector<std::string> benchmark_count_flags(bool programs) {
  std::vector<std::string> flags;
  if (programs) flags.emplace_back("--trace-children=yes");
  for (const char* function : {loop_begins, loop_has_ended}) {
    flags.push_back(std::string("--toggle-collect=") + function);
    flags.push_back(std::string("--dump-before=") + function);
  }
  flags.emplace_back("--collect-atstart=yes");
  return flags;
}

std::vector<std::string> benchmark_count_arguments(const std::string& run_name, std::int64_t calls,
                                                   const std::filesystem::path& folder) {
  return {"--benchmark_filter=" + exact_benchmark_filter({run_name}),
          "--benchmark_out=" + (folder / "report.json").string(),
          "--benchmark_out_format=json",
          least_time,
          "--benchmark_repetitions=" + std::to_string(calls + 1),
          "--benchmark_report_aggregates_only=false"};
}

ProcessCount read_benchmark_count(const std::filesystem::path& folder, std::int64_t calls) {
  const Reported reported = read_report(folder);
  if (!reported.error.empty()) return unknown(reported.error);
  if (reported.threads) return unknown("it runs in several threads: what they execute depends on time");
  if (reported.manual_time)
    return unknown("it times a part of its loop itself (manual_time), and the rest would be counted, too");
  const auto parts = read_parts(folder);
  if (!parts) return unknown(parts.error().message);
  std::vector<const CallgrindPart*> loops;
  ProcessCount count;
  add_programs(*parts, count);
  if (!count.unknown.empty()) return count;
  for (const CallgrindPart& part : parts->numbered) {
    if (part.trigger.ends_with(loop_has_ended)) loops.push_back(&part);
    if (!part.trigger.ends_with(loop_begins)) continue;
    for (const auto& [function, instructions] : part.functions) count.set_up[function] += instructions;
  }
  if (loops.empty())
    return unknown(
        "where its loop begins is not known: the program has no symbols of Google Benchmark (was it stripped?)");
  const std::size_t repetitions = reported.iterations.size();
  const auto wanted = static_cast<std::size_t>(calls);
  if (repetitions < wanted || loops.size() < repetitions) return unknown("its repetitions could not be told apart");
  // What only the first repetitions execute is part of the set-up.
  for (std::size_t i = 0; i < loops.size() - wanted; ++i)
    for (const auto& [function, instructions] : loops[i]->functions) count.set_up[function] += instructions;
  double total = 0;
  double iterations = 0;
  for (std::size_t i = 0; i < wanted; ++i) {
    const CallgrindPart& loop = *loops[loops.size() - wanted + i];
    if (was_paused(loop)) return unknown("it pauses its timer, and what it does meanwhile would be counted, too");
    total += static_cast<double>(loop.total);
    iterations += reported.iterations[repetitions - wanted + i];
    for (const auto& [function, instructions] : loop.functions)
      count.functions[function] += static_cast<double>(instructions);
  }
  if (!(iterations > 0)) return unknown("its report has no iterations");
  for (auto& [function, instructions] : count.functions) instructions /= iterations;
  count.per_call = total / iterations;
  return count;
}

}  // namespace torchgate::launch
