// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/count/count_cost.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "harness/base/counted.hpp"

namespace torchgate::launch {
namespace {

/// How much longer it takes in Callgrind, measured with LibTorch 2.11 and Valgrind 3.19 on the suites of this repository: to load (nothing is
/// counted yet), to build and warm up (the same), and to make a counted call.
constexpr double load_factor = 28;
constexpr double uncounted_factor = 8;
constexpr double counted_factor = 60;
constexpr double warm_up_calls = 2;
/// What a case takes beside loading where its call was not timed: most calls are short, and translating their code is what takes time.
constexpr double usual_case_s = 1;

std::string duration_words(double seconds) {
  constexpr double minute_s = 60;
  constexpr double most_seconds = 90;
  if (seconds < most_seconds) return fmt::format("{:.0f} s", std::max(1.0, std::ceil(seconds)));
  return fmt::format("{:.0f} min", std::ceil(seconds / minute_s));
}

}  // namespace

int cpus_here() {
  cpu_set_t cpus;
  if (sched_getaffinity(0, sizeof cpus, &cpus) != 0) return 1;
  return std::max(1, CPU_COUNT(&cpus));
}

KnownTimes times_of(const record::Run& run) {
  KnownTimes known;
  std::vector<double> loads;
  constexpr double ns_per_s = 1e9;
  for (const record::Process& process : run.processes) {
    if (process.start && process.start->main_ns)
      loads.push_back(static_cast<double>(*process.start->main_ns) / ns_per_s);
    for (const record::CaseResult& result : process.cases) {
      for (const record::Measurement& each : result.measurements)
        if (each.metric == "time" && each.summary) known.call_s[result.name] = each.summary->median / ns_per_s;
    }
  }
  if (loads.empty()) return known;
  std::nth_element(loads.begin(), loads.begin() + static_cast<std::ptrdiff_t>(loads.size() / 2), loads.end());
  known.load_s = loads[loads.size() / 2];
  return known;
}

double count_seconds(const CountJob& job, const CountSettings& settings, const KnownTimes& known) {
  const bool callgrind = !settings.valgrind.empty();
  const bool from_start = job.side->program != nullptr || settings.set_up;
  double seconds = known.load_s * (!callgrind ? 1 : from_start ? counted_factor : load_factor);
  const auto calls = static_cast<double>(settings.calls);
  for (const std::string& name : job.cases) {
    if (callgrind) seconds += usual_case_s;
    if (const auto call = known.call_s.find(name); call != known.call_s.end())
      seconds += call->second *
                 (callgrind ? warm_up_calls * uncounted_factor + calls * counted_factor : warm_up_calls + calls);
  }
  return seconds;
}

CountForecast forecast_count(const Request& request, const CountRequest& wanted, const Selection& selection,
                             const record::Run& run) {
  CountForecast forecast;
  const auto settings = choose_counter(wanted);
  if (!settings) {
    forecast.unknown = settings.error().message;
    return forecast;
  }
  const auto programs = choose_program_counter(*settings, wanted);
  const CountJobs found = count_jobs(selection, programs, wanted.functions);
  const KnownTimes known = times_of(run);
  forecast.counter = settings->counter;
  forecast.at_once = std::max(1, request.count && request.count->at_once ? *request.count->at_once : cpus_here());
  forecast.processes = static_cast<std::int64_t>(found.jobs.size()) * wanted.processes;
  for (const CountJob& job : found.jobs) {
    forecast.cases += static_cast<std::int64_t>(job.cases.size());
    forecast.seconds += count_seconds(job, job.side->program != nullptr ? *programs : *settings, known);
  }
  forecast.seconds *= static_cast<double>(wanted.processes) / forecast.at_once;
  return forecast;
}

std::string words_of(const CountForecast& forecast) {
  if (forecast.counter.empty()) return forecast.unknown;
  return fmt::format("counting instructions of {} with {}: {}, {} at a time, about {}",
                     base::counted(static_cast<std::size_t>(forecast.cases), "case", "cases"), forecast.counter,
                     base::counted(static_cast<std::size_t>(forecast.processes), "process", "processes"),
                     forecast.at_once, duration_words(forecast.seconds));
}

}  // namespace torchgate::launch
