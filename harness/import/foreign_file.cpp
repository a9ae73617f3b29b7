// SPDX-License-Identifier: Apache-2.0
#include "harness/import/foreign_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "harness/import/lines.hpp"

namespace torchgate::import {
namespace {

constexpr std::string_view export_json = "let it write JSON with --export-json FILE";
constexpr std::string_view write_json =
    "let the program write JSON with --benchmark_out=FILE --benchmark_out_format=json";
constexpr std::string_view nvbench_table = "a table of NVBench (--csv, --md), which has no samples";
constexpr std::string_view nvbench_json = "let it write JSON with --json FILE or --jsonbin FILE";
constexpr std::string_view give_go_files = "name the files that it was made from: output of `go test -bench`";
constexpr std::string_view as_list =
    "which torchgate does not read; write the values as a list [{\"name\": ..., \"unit\": \"ns\", \"value\": ...}] "
    "(customSmallerIsBetter of github-action-benchmark)";

// A file that has all parts, the first of them at its beginning where it says so.
struct ForeignFile {
  std::array<std::string_view, 3> parts;  // empty: fewer
  bool at_the_beginning;
  std::string_view what;
  std::string_view instead;
};

constexpr std::array foreign_files{
    ForeignFile{{"command,mean,"}, true, "a CSV export of hyperfine, which has no single times", export_json},
    ForeignFile{{"| Command | Mean ["}, true, "a Markdown export of hyperfine, which has no single times", export_json},
    ForeignFile{{"\"reason\"", "\"benchmark-complete\"", "\"measured_values\""},
                false,
                "messages of cargo-criterion",
                "run `cargo bench` and name its folder target/criterion"},
    ForeignFile{{"│", "/op ", "±"}, false, "the table of benchstat", give_go_files},
    ForeignFile{{"old time/op", "new time/op", "delta"}, false, "the table of benchstat", give_go_files},
    ForeignFile{{"/op,CI"}, false, "the CSV of benchstat", give_go_files},
    ForeignFile{{"Benchmark,", ",Skipped,", ",Samples,"}, true, nvbench_table, nvbench_json},
    ForeignFile{{"| Samples ", "CPU Time ", "| Noise "}, false, nvbench_table, nvbench_json},
    ForeignFile{{"\"jmhVersion\""}, false, "results of JMH", as_list},
    ForeignFile{{"\"Benchmark\",\"Mode\",\"Threads\",\"Samples\""}, true, "a CSV of JMH", as_list},
    ForeignFile{{"# JMH version:"}, false, "the console output of JMH", as_list},
    ForeignFile{{"\"median(elapsed)\""}, false, "results of nanobench", as_list},
    ForeignFile{{"\"title\"", "\"epochs\"", "\"measurements\""}, false, "results of nanobench", as_list},
    ForeignFile{{"\"title\";\"name\";\"unit\""}, true, "a CSV of nanobench", as_list},
    ForeignFile{{"ns/op |", "op/s |", "err% |"}, false, "the table of nanobench", as_list},
    ForeignFile{{"\"commit_hash\"", "\"results\"", "\"params\""}, false, "results of asv", as_list},
    ForeignFile{{"\"HostEnvironmentInfo\"", "\"Benchmarks\""}, false, "results of BenchmarkDotNet", as_list},
    ForeignFile{{"// Benchmark Process Environment Information"}, false, "the log of BenchmarkDotNet", as_list},
    ForeignFile{{"AnalyzeLaunchVariance"}, false, "a CSV of BenchmarkDotNet", as_list},
    ForeignFile{{"BenchmarkDotNet", " Method ", "Mean "}, false, "the table of BenchmarkDotNet", as_list},
    ForeignFile{{"name,", ",stddev,", ",rounds,"},
                true,
                "a CSV of pytest-benchmark, which has no single rounds",
                "let it write JSON with --benchmark-json=FILE"},
    ForeignFile{{" ... bench:", " ns/iter (+/-"},
                false,
                "the output of #[bench] functions (libtest), which has one value per benchmark",
                "measure with Criterion and name its folder target/criterion"},
    ForeignFile{{"name;iterations;real_time"},
                true,
                "a CSV of Google Benchmark with semicolons, as a spreadsheet writes it",
                write_json},
};

bool has_parts(std::string_view head, const ForeignFile& file) {
  if (file.at_the_beginning && !head.starts_with(file.parts.front())) return false;
  return std::all_of(file.parts.begin(), file.parts.end(),
                     [&](std::string_view part) { return head.find(part) != std::string_view::npos; });
}

// "Benchmark  (size)   Mode  Cnt    Score   Error  Units"
bool has_jmh_heading(std::string_view head) {
  constexpr std::array last_words{"Mode", "Cnt", "Score", "Error", "Units"};
  while (!head.empty()) {
    std::string_view line = take_line(head);
    if (take_word(line) != "Benchmark") continue;
    std::string_view word = take_word(line);
    while (word.starts_with('(')) word = take_word(line);  // parameters
    const bool is_heading = std::all_of(last_words.begin(), last_words.end(), [&](std::string_view expected) {
      return std::exchange(word, take_word(line)) == expected;
    });
    if (is_heading) return true;
  }
  return false;
}

// "name,iterations,cpu_time,real_time,time_unit": columns of Google Benchmark, and not as it writes them.
bool has_other_columns(std::string_view head) {
  constexpr std::array columns{std::string_view("name"), std::string_view("iterations"), std::string_view("real_time"),
                               std::string_view("cpu_time"), std::string_view("time_unit")};
  const std::string heading = "," + std::string(trimmed(take_line(head))) + ",";
  return std::all_of(columns.begin(), columns.end(), [&](std::string_view column) {
    return heading.find(fmt::format(",{},", column)) != std::string::npos;
  });
}

// [{"context": {...}, "benchmarks": [...]}, ...]
bool is_list_of_google_benchmark(std::string_view head) {
  const auto says = [&](std::string_view word) { return head.find(word) != std::string_view::npos; };
  if (!head.starts_with('[') || !trimmed(head.substr(1)).starts_with('{')) return false;
  return says("\"context\"") && (says("\"num_cpus\"") || says("\"library_build_type\""));
}

}  // namespace

std::string foreign_file(std::string_view head) {
  head = trimmed(head);
  for (const ForeignFile& each : foreign_files)
    if (has_parts(head, each))
      return fmt::format("{}{}{}", each.what, each.instead == as_list ? ", " : "; ", each.instead);
  if (has_jmh_heading(head)) return fmt::format("the table of JMH, {}", as_list);
  if (has_other_columns(head))
    return fmt::format("a CSV with the columns of Google Benchmark in another order; {}", write_json);
  if (is_list_of_google_benchmark(head))
    return "results of Google Benchmark inside a list; write each of them into a file of its own: `jq '.[0]' FILE`";
  return "";
}

}  // namespace torchgate::import
