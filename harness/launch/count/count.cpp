// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/count/count.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <set>
#include <utility>

#include "harness/base/counted.hpp"
#include "harness/launch/suite_process.hpp"
#include "harness/process/interrupt.hpp"
#include "harness/process/temporary_folder.hpp"

namespace torchgate::launch {
namespace {

/// How much longer it takes in Callgrind, measured with LibTorch 2.11 and Valgrind 3.19 on the suites of this repository: to load (nothing is
/// counted yet), to build and warm up (the same), and to make a counted call.
constexpr double load_factor = 28;
constexpr double uncounted_factor = 8;
constexpr double counted_factor = 60;
constexpr double warm_up_calls = 2;
/// Loading LibTorch; what a suite takes that was not timed before.
constexpr double usual_load_s = 0.25;

/// Of a group's time limit: a call that is counted takes so much longer.
constexpr std::int64_t limit_factor = 6;
constexpr std::size_t longest_function_name = 1000;

int cpus_here() {
  cpu_set_t cpus;
  if (sched_getaffinity(0, sizeof cpus, &cpus) != 0) return 1;
  return std::max(1, CPU_COUNT(&cpus));
}

std::string duration_words(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", std::max(1.0, std::ceil(seconds)));
  return fmt::format("{:.0f} min", std::ceil(seconds / 60));
}

/// Of the processes that were timed: how long one took to start, and one call of each case.
struct KnownTimes {
  double load_s = usual_load_s;
  std::map<std::string, double> call_s;
};

KnownTimes times_of(const record::Run& run) {
  KnownTimes known;
  std::vector<double> loads;
  constexpr double ns_per_s = 1e9;
  for (const record::Process& process : run.processes) {
    if (process.start && process.start->main_ns) loads.push_back(static_cast<double>(*process.start->main_ns) / ns_per_s);
    for (const record::CaseResult& result : process.cases) {
      for (const record::Measurement& each : result.measurements)
        if (each.metric == "time" && each.summary) known.call_s[result.name] = each.summary->median / ns_per_s;
    }
  }
  if (!loads.empty()) {
    std::nth_element(loads.begin(), loads.begin() + static_cast<std::ptrdiff_t>(loads.size() / 2), loads.end());
    known.load_s = loads[loads.size() / 2];
  }
  return known;
}

double estimate_s(const std::vector<CountJob>& jobs, const CountSettings& settings, const KnownTimes& known) {
  const bool callgrind = !settings.valgrind.empty();
  double seconds = 0;
  for (const CountJob& job : jobs) {
    const bool foreign = job.side->program != nullptr;
    seconds += known.load_s * (callgrind ? (foreign ? counted_factor : load_factor) : 1);
    for (const std::string& name : job.cases) {
      const auto call = known.call_s.find(name);
      if (call == known.call_s.end()) continue;
      const double calls = static_cast<double>(settings.calls);
      seconds += call->second * (callgrind ? warm_up_calls * uncounted_factor + calls * counted_factor : calls);
    }
  }
  return seconds;
}

// What a process executes before its first case belongs to that case only, so the functions of each case need a process.
std::vector<CountJob> jobs_of(const std::vector<SelectedGroup>& groups, bool of_one_case) {
  std::vector<CountJob> jobs;
  for (const SelectedGroup& group : groups) {
    for (const GroupOnSide& side : group.sides) {
      if (!side.program && !of_one_case) {
        jobs.push_back({&side, group.name, group.filter, side.cases});
        continue;
      }
      for (const std::string& name : side.cases) jobs.push_back({&side, group.name, side.program ? "" : exact_filter({name}), {name}});
    }
  }
  return jobs;
}

std::string shortened(const std::string& text) {
  return text.substr(0, longest_function_name);
}

void take(ProcessCount&& one, CountedCase& all) {
  if (!one.per_call) {
    if (all.count.per_call.empty()) all.count.unknown = std::move(one.unknown);
    return;
  }
  all.count.unknown.clear();
  all.count.per_call.push_back(*one.per_call);
  if (!all.functions.empty()) return;
  all.functions = std::move(one.functions);
  all.set_up = std::move(one.set_up);
}

void keep_largest(CountedCase& counted) {
  std::vector<record::FunctionCount>& largest = counted.count.largest;
  for (const auto& [function, instructions] : counted.functions)
    largest.push_back({shortened(function.name),
                       shortened(std::filesystem::path(function.object).filename().string()), instructions});
  std::stable_sort(largest.begin(), largest.end(),
                   [](const auto& a, const auto& b) { return a.instructions > b.instructions; });
  largest.resize(std::min(largest.size(), record::most_functions));
  counted.count.functions = static_cast<std::int64_t>(counted.functions.size());
}

class Pass {
 public:
  Pass(const Request& request, const CountSettings& settings, const std::string& profile,
       const std::filesystem::path& scratch)
      : request_(request), settings_(settings), profile_(profile), scratch_(scratch) {}

  /// One after the other would leave CPUs idle, and a count does not depend on what runs beside it.
  base::Result<void> run(const std::vector<CountJob>& jobs, std::size_t at_once) {
    for (std::size_t i = 0; i < jobs.size(); i += at_once) {
      const std::size_t end = std::min(jobs.size(), i + at_once);
      if (auto ran = run_batch({jobs.begin() + static_cast<std::ptrdiff_t>(i), jobs.begin() + static_cast<std::ptrdiff_t>(end)}); !ran)
        return ran;
      if (process::stop_requested())
        return base::Error{base::ErrorCode::interrupted, "interrupted while instructions were counted"};
    }
    return {};
  }

  std::vector<CountedCase> take_all() {
    std::vector<CountedCase> all;
    for (auto& [place, counted] : cases_) {
      keep_largest(counted);
      all.push_back(std::move(counted));
    }
    return all;
  }

 private:
  base::Result<void> run_batch(const std::vector<CountJob>& jobs) {
    std::vector<process::TemporaryFolder> folders;
    std::vector<process::Command> commands;
    for (const CountJob& job : jobs) {
      auto folder = process::TemporaryFolder::create(scratch_);
      if (!folder) return folder.error();
      folders.push_back(std::move(folder).value());
      commands.push_back(count_command(command_of(job), job, settings_, profile_, folders.back().path()));
    }
    const auto patience = std::chrono::duration_cast<std::chrono::milliseconds>(*commands.front().time_limit);
    const std::vector<process::Outcome> outcomes = process::run_together(commands, patience);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      auto counts = read_counts(jobs[i], settings_, outcomes[i], folders[i].path());
      for (auto& [name, count] : counts) {
        CountedCase& all = cases_[{jobs[i].side->side, name}];
        all.count.case_name = name;
        all.count.side = jobs[i].side->side;
        all.count.counter = settings_.counter;
        take(std::move(count), all);
      }
    }
    return {};
  }

  process::Command command_of(const CountJob& job) const {
    process::Command command;
    command.executable = job.side->executable;
    command.environment = merged_environment(request_.environment,
                                             request_.sides[static_cast<std::size_t>(job.side->side)].environment);
    command.unset = request_.unset;
    const double limit_s = request_.plan.group_limit_s.value_or(static_cast<double>(default_group_limit.count()));
    command.time_limit = std::chrono::seconds(static_cast<std::int64_t>(limit_s) * limit_factor);
    return command;
  }

  const Request& request_;
  const CountSettings& settings_;
  std::string profile_;
  std::filesystem::path scratch_;
  std::map<std::pair<std::int64_t, std::string>, CountedCase> cases_;
};

}  // namespace

base::Result<CountSettings> choose_counter(const CountRequest& wanted) {
  const auto with = [&](CountSettings settings) {
    settings.calls = wanted.calls;
    settings.set_up = wanted.functions;
    return settings;
  };
  base::Result<void> hardware{};
  if (!wanted.functions && wanted.counter != Counter::callgrind) {
    hardware = check_hardware_counter();
    if (hardware) {
      CountSettings settings;
      settings.counter = "hardware";
      return with(settings);
    }
    if (wanted.counter == Counter::hardware) return base::Error{base::ErrorCode::bad_input, hardware.error().message};
  }
  auto callgrind = find_callgrind();
  if (callgrind) return with(std::move(callgrind).value());
  std::string why = "instructions cannot be counted: " + callgrind.error().message;
  if (!hardware) why += "; " + hardware.error().message;
  return base::Error{base::ErrorCode::not_found, why};
}

base::Result<std::vector<CountedCase>> count_cases(const Request& request, const CountRequest& wanted,
                                                   const Survey& found, const record::Run& run,
                                                   const std::filesystem::path& scratch, Observer& observer) {
  auto settings = choose_counter(wanted);
  if (!settings) return settings.error();
  std::vector<CountJob> jobs = jobs_of(found.selection.to_run, wanted.functions);
  std::size_t cases = 0;
  for (const CountJob& job : jobs) cases += job.cases.size();
  if (settings->valgrind.empty()) {  // it counts a whole process, of which only a suite knows where a call begins
    std::erase_if(jobs, [](const CountJob& job) { return job.side->program != nullptr; });
  }
  std::vector<CountJob> all;
  for (std::int64_t i = 0; i < wanted.processes; ++i) all.insert(all.end(), jobs.begin(), jobs.end());
  const int at_once = std::max(1, wanted.at_once.value_or(cpus_here()));
  observer.on_note(fmt::format("counting instructions of {} with {}: {}, {} at a time, about {}",
                               base::counted(cases, "case", "cases"), settings->counter,
                               base::counted(all.size(), "process", "processes"), at_once,
                               duration_words(estimate_s(all, *settings, times_of(run)) / at_once)));
  Pass pass(request, *settings, run.plan.profile, scratch);
  if (auto ran = pass.run(all, static_cast<std::size_t>(at_once)); !ran) return ran.error();
  return pass.take_all();
}

base::Result<std::vector<CountedCase>> count_only(const Request& request, Observer& observer) {
  const process::InterruptScope interrupts;
  const auto scratch = process::TemporaryFolder::create();
  if (!scratch) return scratch.error();
  ObjectHashes hashes;
  auto found = survey(request, scratch->path(), hashes);
  if (!found) return found.error();
  record::Run run;
  run.plan = request.plan;
  return count_cases(request, request.count.value_or(CountRequest{}), *found, run, scratch->path(), observer);
}

}  // namespace torchgate::launch
