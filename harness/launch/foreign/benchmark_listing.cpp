// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/foreign/benchmark_listing.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include "harness/import/google_benchmark_name.hpp"
#include "harness/import/imported_case.hpp"
#include "harness/launch/last_words.hpp"

namespace torchgate::launch {
namespace {

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

record::Case case_of(const std::string& name, const import::GoogleBenchmarkName& parsed, const std::string& suite,
                     const std::string& group) {
  import::ImportedCase each;
  each.parameters = parsed.parameters;
  each.protocol = import::google_benchmark_protocol(parsed);
  each.cpu_ns = {0};  // every version reports it
  return import::definition_of(each, name, suite, group);
}

}  // namespace

BenchmarkTimes benchmark_times(const std::string& profile) {
  return profile == "quick" ? BenchmarkTimes{0.01, 0.01, 4} : BenchmarkTimes{};
}

BenchmarkTimes benchmark_times_in_turns(const std::string& profile, double longest_call_s) {
  constexpr int most = 60;
  const BenchmarkTimes usual = benchmark_times(profile);
  // A repetition of less than this is moved by the two readings of the clock and by what a change of process costs.
  constexpr double shortest_s = 0.0025;
  BenchmarkTimes times = usual;
  times.min_time_s = std::max(shortest_s, usual.min_time_s * usual.repetitions / most);
  const double fitting = most * times.min_time_s / std::max(times.min_time_s, longest_call_s);
  times.repetitions = std::clamp(static_cast<int>(fitting), usual.repetitions, most);
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
  std::map<std::string, int> uses;        // of a name without its suffixes, which distinguish equal names
  std::map<std::string, int> registered;  // several benchmarks may have one name, and all of them are measured under it
  for (const std::string& name : names) ++registered[name];
  for (const auto& [name, times_registered] : registered) ++uses[import::parse_google_benchmark_name(name).name];
  std::set<std::string> groups;
  double seconds = 0;
  for (const std::string& name : names) {
    const std::string readable = last_words(name);
    const auto parsed = import::parse_google_benchmark_name(readable);
    const std::string unique = uses[parsed.name] > 1 ? readable : parsed.name;
    const std::string group = program.suite + "/" + std::string(family_of(unique));
    const std::string case_name = program.suite + "/" + unique;
    if (!program.run_names.emplace(case_name, name).second) continue;
    if (groups.insert(group).second) {
      report.groups.push_back({group, program.suite, std::nullopt, {}});
      seconds += start_up_s;
    }
    report.cases.push_back(case_of(case_name, parsed, program.suite, group));
    // Another number of them is another case: a fast one more would hide that the first became slower.
    if (const int benchmarks = registered[name]; benchmarks > 1)
      report.cases.back().parameters.push_back({"benchmarks of this name", std::to_string(benchmarks)});
    if (readable != name)
      report.cases.back().skipped = "invalid name: control characters, not UTF-8, or longer than 4000 bytes";
    else
      seconds += seconds_of(name, times);
  }
  report.seconds_estimate = seconds;
  return report;
}

std::string exact_benchmark_filter(const std::vector<std::string>& run_names) {
  std::string filter = "^(";
  for (const std::string& name : run_names) filter += (filter.size() > 2 ? "|" : "") + escaped(name);
  filter += ")$";
  if (filter.size() <= longest_filter || run_names.empty()) return filter;
  return "^" + escaped(family_of(run_names.front())) + "(/|$)";
}

}  // namespace torchgate::launch
