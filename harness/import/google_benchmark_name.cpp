// SPDX-License-Identifier: Apache-2.0
#include "harness/import/google_benchmark_name.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "harness/import/lines.hpp"

namespace torchgate::import {
namespace {

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789.e+-") == std::string_view::npos;
}

// BenchmarkName::str(): function/args/min_time:X/min_warmup_time:X/iterations:N/repeats:N/time type/threads:N.
bool is_suffix(std::string_view part) {
  constexpr std::array<std::string_view, 3> time_types{"process_time", "real_time", "manual_time"};
  constexpr std::array<std::string_view, 4> settings{"min_time:", "min_warmup_time:", "iterations:", "repeats:"};
  return std::find(time_types.begin(), time_types.end(), part) != time_types.end() ||
         std::any_of(settings.begin(), settings.end(), [&](std::string_view setting) {
           return part.starts_with(setting) && is_number(part.substr(setting.size()));
         });
}

// The number in "repeats:3", if PART begins with SETTING; absent: it does not.
std::optional<std::int64_t> number_of(std::string_view part, std::string_view setting) {
  std::int64_t number = 0;
  if (!part.starts_with(setting) || !is_count(part.substr(setting.size()), number)) return std::nullopt;
  return number;
}

// An argument of the program that has the name of a setting.
bool is_argument(std::string_view part, std::int64_t threads, const GoogleBenchmarkCounts& counts) {
  if (const auto number = number_of(part, "iterations:"); number && counts.iterations)
    return *counts.iterations != *number && *counts.iterations / threads != *number;
  const auto number = number_of(part, "repeats:");
  return number && counts.repetitions && *counts.repetitions != *number;
}

constexpr std::string_view threads_setting = "threads:";

bool is_threads(std::string_view part, const GoogleBenchmarkCounts& counts) {
  if (!part.starts_with(threads_setting) || !is_number(part.substr(threads_setting.size()))) return false;
  const auto number = number_of(part, threads_setting);
  return !number || !counts.threads || *counts.threads == *number;
}

// "n:8". The function's own name may hold colons of any kind and is not asked.
bool is_named_argument(std::string_view part) {
  const std::size_t colon = part.find(':');
  if (colon == 0 || colon == std::string_view::npos || colon + 1 == part.size() || part[colon + 1] == ':') return false;
  return std::all_of(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(colon), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

// More than any benchmark has: each is compared with those before it. Others stay part of the name only.
constexpr std::size_t most_parameters = 64;

void add_parameter(std::vector<record::Parameter>& parameters, std::string_view part) {
  if (parameters.size() == most_parameters) return;
  const std::string_view name = part.substr(0, part.find(':'));
  const bool known = std::any_of(parameters.begin(), parameters.end(),
                                 [&](const record::Parameter& parameter) { return parameter.name == name; });
  if (!known) parameters.push_back({std::string(name), std::string(part.substr(name.size() + 1))});
}

}  // namespace

GoogleBenchmarkName parse_google_benchmark_name(std::string_view run_name, const GoogleBenchmarkCounts& counts) {
  GoogleBenchmarkName result;
  std::string_view rest = run_name;
  const auto last_part = [&] {
    const std::size_t slash = rest.rfind('/');
    return slash == std::string_view::npos || slash == 0 ? std::string_view() : rest.substr(slash + 1);
  };
  std::string_view threads;
  if (is_threads(last_part(), counts)) {
    threads = last_part();
    rest.remove_suffix(threads.size() + 1);
  }
  result.threads_argument = threads.empty() && last_part().starts_with(threads_setting);
  const std::int64_t of_threads = std::max<std::int64_t>(number_of(threads, threads_setting).value_or(1), 1);
  for (std::string_view part = last_part(); is_suffix(part) && !is_argument(part, of_threads, counts);
       part = last_part()) {
    result.manual_time = result.manual_time || part == "manual_time";
    result.process_time = result.process_time || part == "process_time";
    result.real_time = result.real_time || part == "manual_time" || part == "real_time";
    rest.remove_suffix(part.size() + 1);
  }
  result.name = rest;
  for (std::size_t slash = rest.find('/'); slash != std::string_view::npos;) {
    const std::size_t next = rest.find('/', slash + 1);
    const std::string_view part = rest.substr(slash + 1, next == std::string_view::npos ? next : next - slash - 1);
    if (is_named_argument(part)) add_parameter(result.parameters, part);
    slash = next;
  }
  if (!threads.empty()) {
    result.name += '/';
    result.name += threads;
    add_parameter(result.parameters, threads);
  } else if (counts.threads && (*counts.threads != 1 || result.threads_argument)) {
    // The name does not have it, and more calls at the same time are another case.
    const std::string name(result.threads_argument ? "threads of the run" : "threads");
    add_parameter(result.parameters, name + ':' + std::to_string(*counts.threads));
  }
  return result;
}

record::Clock cpu_clock_of(const GoogleBenchmarkName& name) {
  return name.process_time ? record::Clock::process_cpu : record::Clock::cpu;
}

record::Clock rate_clock_of(const GoogleBenchmarkName& name) {
  return name.real_time ? record::Clock::real : cpu_clock_of(name);
}

std::string google_benchmark_protocol(const GoogleBenchmarkName& name) {
  return name.manual_time ? "google-benchmark-manual/1" : "google-benchmark/1";
}

}  // namespace torchgate::import
