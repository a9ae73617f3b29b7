// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/foreign/benchmark_listing.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include "harness/import/google_benchmark_name.hpp"
#include "harness/import/imported_case.hpp"
#include "harness/import/same_names.hpp"
#include "harness/launch/last_words.hpp"

namespace torchgate::launch {
namespace {

using import::ImportedCase;

/// Google Benchmark first searches for the number of iterations that takes the minimum time, in steps of at most ten
/// times as many. With its safety factor of 1.4 for the last step, the first repetition takes 1.5 times the minimum
/// time in all.
constexpr double calibration_factor = 1.5;
constexpr double start_up_s = 0.05;

/// Longer filters are replaced by the name of the family: the program may match with std::regex, which recurses.
constexpr std::size_t longest_filter = 8192;

std::string_view family_of(std::string_view run_name) {
  const std::string_view family = run_name.substr(0, run_name.find('/'));
  return family.empty() ? run_name : family;
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    // Not ']' and '}': they are ordinary characters, and POSIX leaves their meaning after a backslash undefined.
    if (std::string_view(".[\\()*+?{|^$").find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

double seconds_of(const std::string& run_name, const BenchmarkTimes& times) {
  double least = times.min_time_s;
  constexpr std::string_view setting = "/min_time:";
  if (const std::size_t at = run_name.find(setting); at != std::string::npos)
    std::from_chars(run_name.data() + at + setting.size(), run_name.data() + run_name.size(), least);
  return times.warm_up_s + least * (calibration_factor + times.repetitions);
}

ImportedCase imported(const import::GoogleBenchmarkName& parsed) {
  ImportedCase each;
  each.parameters = parsed.parameters;
  each.protocol = import::google_benchmark_protocol(parsed);
  each.cpu_ns = {0};  // every version reports it
  return each;
}

}  // namespace

BenchmarkTimes benchmark_times(const std::string& profile) {
  return profile == "quick" ? BenchmarkTimes{0.01, 0.01, 4} : BenchmarkTimes{};
}

BenchmarkTimes benchmark_times_in_turns(const std::string& profile, double longest_call_s) {
  const int most = profile == "quick" ? 30 : 60;
  // Google Benchmark takes the iterations of its first repetition for all, and looks for them until it has taken five times this: a stop of 20 ms in between
  // must not be enough.
  constexpr double shortest_s = 0.005;
  const BenchmarkTimes usual = benchmark_times(profile);
  BenchmarkTimes times = usual;
  const double fitting = most * shortest_s / std::max(shortest_s, longest_call_s);
  times.repetitions = std::clamp(static_cast<int>(fitting), usual.repetitions, most);
  times.min_time_s = std::max(shortest_s, most * shortest_s / times.repetitions);
  return times;
}

std::string suite_name_of(std::string_view file_name) {
  constexpr std::size_t longest = 100;
  std::string name;
  for (const char c : file_name.substr(0, longest)) {
    const bool safe =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
    name += safe ? c : '_';
  }
  if (name.empty() || name.front() == '.') name.insert(0, "_");
  return name;
}

record::ProcessReport listing_of_benchmarks(const std::vector<std::string>& names, const std::string& profile,
                                            BenchmarkProgram& program) {
  const BenchmarkTimes times = benchmark_times(profile);
  record::ProcessReport report;
  report.suite = program.suite;
  std::map<std::string, int> uses;                 // of a name without its suffixes, which distinguish equal names
  std::map<std::string, std::int64_t> registered;  // several benchmarks may have one name
  for (const std::string& name : names) ++registered[name];
  for (const auto& [name, times_registered] : registered) ++uses[import::parse_google_benchmark_name(name).name];
  std::set<std::string> groups;
  std::map<std::string, std::int64_t> seen;
  std::vector<import::ImportedCase> benchmarks;
  double seconds = 0;
  for (const std::string& name : names) {
    const std::string readable = last_words(name);
    const auto parsed = import::parse_google_benchmark_name(readable);
    if (readable != name && ++seen[readable] > 1) continue;  // it is not measured, whatever is behind it
    import::ImportedCase& each = benchmarks.emplace_back(imported(parsed));
    const bool keep_suffixes = uses[parsed.name] > 1;
    each.name = keep_suffixes ? readable : parsed.name;
    if (parsed.name != readable) each.other_name = keep_suffixes ? parsed.name : readable;
    each.run_name = readable;
    if (readable == name) {
      each.number = ++seen[name];
      each.of_one_name = registered[name];
      seconds += seconds_of(name, times);
    } else {
      each.skipped = "invalid name: control characters, not UTF-8, or longer than 4000 bytes";
    }
  }
  import::name_same_names(benchmarks);
  for (import::ImportedCase& each : benchmarks) {
    const std::string case_name = program.suite + "/" + each.name;
    if (!program.run_names.emplace(case_name, each.run_name).second) continue;
    if (each.of_one_name > 1) program.same_names[case_name] = {each.number, each.of_one_name};
    const std::string group = group_of_benchmark(program, case_name);
    if (groups.insert(group).second) {
      report.groups.push_back({group, program.suite, std::nullopt, {}});
      seconds += start_up_s;
    }
    report.cases.push_back(import::definition_of(each, case_name, program.suite, group));
    if (!each.other_name.empty()) report.cases.back().other_name = program.suite + "/" + each.other_name;
  }
  report.seconds_estimate = seconds;
  return report;
}

std::string group_of_benchmark(const BenchmarkProgram& program, const std::string& case_name) {
  std::string_view name = std::string_view(case_name).substr(program.suite.size() + 1);
  // "BM_x#2" is of the family BM_x.
  if (const auto same = program.same_names.find(case_name); same != program.same_names.end() && same->second.number > 1)
    name = name.substr(0, name.rfind('#'));
  return program.suite + "/" + std::string(family_of(name));
}

std::string exact_benchmark_filter(const std::vector<std::string>& run_names) {
  std::string filter = "^(";
  std::set<std::string_view> different;
  for (const std::string& name : run_names)
    if (different.insert(name).second) filter += (filter.size() > 2 ? "|" : "") + escaped(name);
  filter += ")$";
  if (filter.size() <= longest_filter || run_names.empty()) return filter;
  return "^" + escaped(family_of(run_names.front())) + "(/|$)";
}

}  // namespace torchgate::launch
