// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/count/count.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "harness/launch/count/count_cost.hpp"
#include "harness/launch/count/math_kernels.hpp"
#include "harness/launch/machine_lock.hpp"
#include "harness/launch/suite_process.hpp"
#include "harness/process/interrupt.hpp"
#include "harness/process/temporary_folder.hpp"

namespace torchgate::launch {
namespace {

/// Of a group's time limit: a call that is counted takes so much longer.
constexpr std::int64_t limit_factor = 6;
constexpr std::size_t longest_function_name = 1000;

std::string shortened(const std::string& text) {
  return text.substr(0, longest_function_name);
}

void take(ProcessCount&& one, CountedCase& all) {
  if (!one.per_call) {
    all.failed = one.unknown;
    if (all.count.per_call.empty()) all.count.unknown = std::move(one.unknown);
    return;
  }
  all.count.unknown.clear();
  all.count.per_call.push_back(*one.per_call);
  all.count.cpu_capability = std::move(one.cpu_capability);
  if (!all.functions.empty()) return;
  all.functions = std::move(one.functions);
  all.set_up = std::move(one.set_up);
}

void keep_largest(CountedCase& counted) {
  std::vector<record::FunctionCount>& largest = counted.count.largest;
  for (const auto& [function, instructions] : counted.functions)
    largest.push_back({shortened(function.name), shortened(std::filesystem::path(function.object).filename().string()),
                       instructions});
  std::stable_sort(largest.begin(), largest.end(),
                   [](const auto& a, const auto& b) { return a.instructions > b.instructions; });
  largest.resize(std::min(largest.size(), record::most_functions));
  counted.count.functions = static_cast<std::int64_t>(counted.functions.size());
}

using Clock = std::chrono::steady_clock;

/// The same content as before the first launch of the run.
class Executables {
 public:
  Executables(const std::vector<FileHash>& known, ObjectHashes& hashes) : known_(known), hashes_(hashes) {}

  /// Empty: unchanged.
  std::string what_changed(const std::filesystem::path& path) {
    const auto known =
        std::find_if(known_.begin(), known_.end(), [&](const FileHash& each) { return each.path == path; });
    if (known == known_.end()) return "";
    const auto now = hashes_.sha256_of(path);
    return now && *now == known->sha256 ? "" : path.string() + " changed during the run";
  }

 private:
  const std::vector<FileHash>& known_;
  ObjectHashes& hashes_;
};

class Pass {
 public:
  Pass(const Request& request, const CountSettings& suites, const base::Result<CountSettings>& programs,
       std::string profile, std::filesystem::path scratch, Executables executables)
      : request_(request),
        suites_(suites),
        programs_(programs),
        profile_(std::move(profile)),
        scratch_(std::move(scratch)),
        executables_(executables) {}

  /// One after the other would leave CPUs idle, and a count does not depend on what runs beside it. Ends early when the user asks to stop.
  base::Result<void> run(std::vector<CountJob> jobs, std::size_t at_once, std::optional<Clock::time_point> deadline,
                         Observer& observer) {
    constexpr std::size_t parts = 10;
    std::size_t end = 0;
    for (std::size_t i = 0; i < jobs.size() && !process::stop_requested(); i = end) {
      end = std::min(jobs.size(), i + at_once);
      const std::vector<CountJob> batch(jobs.begin() + static_cast<std::ptrdiff_t>(i),
                                        jobs.begin() + static_cast<std::ptrdiff_t>(end));
      if (deadline && Clock::now() >= *deadline) {
        for (const CountJob& job : batch)
          fail(job,
               "not counted: the time limit was reached before; raise it (--budget), or count fewer cases (--filter)");
      } else if (auto ran = run_batch(batch, deadline); !ran) {
        return ran;
      }
      if (end < jobs.size() && end * parts / jobs.size() != i * parts / jobs.size())
        observer.on_note(fmt::format("instructions: [{}/{}]", end, jobs.size()));
      // A case that ends its process does not cost the others of its group their counts.
      jobs.insert(jobs.end(), one_by_one_.begin(), one_by_one_.end());
      one_by_one_.clear();
    }
    return {};
  }

  void add_unknown(std::int64_t side, const std::string& name, const std::string& why) {
    CountedCase& all = case_of(side, name, "");
    all.count.unknown = why;
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
  [[nodiscard]] const CountSettings& settings_of(const CountJob& job) const {
    return job.side->program != nullptr ? *programs_ : suites_;
  }

  CountedCase& case_of(std::int64_t side, const std::string& name, const std::string& counter) {
    CountedCase& all = cases_[{side, name}];
    all.count.case_name = name;
    all.count.side = side;
    all.count.counter = counter;
    return all;
  }

  void fail(const CountJob& job, const std::string& why) {
    for (const std::string& name : job.cases) {
      ProcessCount none;
      none.unknown = why;
      take(std::move(none), case_of(job.side->side, name, settings_of(job).counter));
    }
  }

  base::Result<void> run_batch(const std::vector<CountJob>& all, std::optional<Clock::time_point> deadline) {
    std::vector<process::TemporaryFolder> folders;
    std::vector<process::Command> commands;
    std::vector<CountJob> jobs;
    for (const CountJob& job : all) {
      if (const std::string changed = executables_.what_changed(job.side->executable); !changed.empty()) {
        fail(job, "not counted: " + changed);
        continue;
      }
      auto folder = process::TemporaryFolder::create(scratch_);
      if (!folder) return folder.error();
      folders.push_back(std::move(folder).value());
      commands.push_back(
          count_command(command_of(job, deadline), job, settings_of(job), profile_, folders.back().path()));
      jobs.push_back(job);
    }
    if (jobs.empty()) return {};
    // A failure of one process does not end the others.
    const auto patience = std::chrono::duration_cast<std::chrono::milliseconds>(*commands.front().time_limit);
    const std::vector<process::Outcome> outcomes = process::run_together(commands, patience);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      if (outcomes[i].ending == process::Ending::interrupted) continue;
      if (outcomes[i].ending == process::Ending::signalled && jobs[i].cases.size() > 1) {
        for (const std::string& name : jobs[i].cases)
          one_by_one_.push_back({jobs[i].side, jobs[i].group, exact_filter({name}), {name}});
        continue;
      }
      const CountLimit limit =
          *commands[i].time_limit < limit_of_group() ? CountLimit::of_counting : CountLimit::of_group;
      auto counts = read_counts(jobs[i], settings_of(jobs[i]), outcomes[i], folders[i].path(), limit);
      const std::string kernels = math_kernels_of(commands[i]);
      for (auto& [name, count] : counts) {
        if (!kernels.empty()) count.cpu_capability += (count.cpu_capability.empty() ? "" : "; ") + kernels;
        take(std::move(count), case_of(jobs[i].side->side, name, settings_of(jobs[i]).counter));
      }
    }
    return {};
  }

  [[nodiscard]] std::chrono::nanoseconds limit_of_group() const {
    const double limit_s = request_.plan.group_limit_s.value_or(static_cast<double>(default_group_limit.count()));
    return std::chrono::milliseconds(static_cast<std::int64_t>(limit_s * 1000) * limit_factor);
  }

  [[nodiscard]] process::Command command_of(const CountJob& job, std::optional<Clock::time_point> deadline) const {
    process::Command command;
    command.executable = job.side->executable;
    command.environment =
        merged_environment(request_.environment, request_.sides[static_cast<std::size_t>(job.side->side)].environment);
    command.unset = request_.unset;
    command.time_limit = limit_of_group();
    if (deadline)
      command.time_limit = std::min<std::chrono::nanoseconds>(*command.time_limit, *deadline - Clock::now());
    return command;
  }

  const Request& request_;
  const CountSettings& suites_;
  const base::Result<CountSettings>& programs_;
  std::string profile_;
  std::filesystem::path scratch_;
  Executables executables_;
  std::vector<CountJob> one_by_one_;  // the cases of a process that was killed
  std::map<std::pair<std::int64_t, std::string>, CountedCase> cases_;
};

/// The longest first, so that those that run at the same time take as long as each other.
void sort_by_cost(std::vector<CountJob>& jobs, const CountSettings& suites, const base::Result<CountSettings>& programs,
                  const KnownTimes& known) {
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < jobs.size(); ++i)
    order.emplace_back(-count_seconds(jobs[i], jobs[i].side->program != nullptr ? *programs : suites, known), i);
  std::stable_sort(order.begin(), order.end());
  std::vector<CountJob> sorted;
  sorted.reserve(jobs.size());
  for (const auto& [cost, index] : order) sorted.push_back(jobs[index]);
  jobs = std::move(sorted);
}

}  // namespace

base::Result<std::vector<CountedCase>> count_cases(const Request& request, const CountRequest& wanted,
                                                   const Survey& found, const record::Run& run, ObjectHashes& hashes,
                                                   const std::filesystem::path& scratch,
                                                   std::optional<std::chrono::steady_clock::time_point> deadline,
                                                   Observer& observer) {
  const auto settings = choose_counter(wanted);
  if (!settings) return settings.error();
  const auto programs = choose_program_counter(*settings, wanted);
  CountJobs found_jobs = count_jobs(found.selection, programs, wanted.functions);
  sort_by_cost(found_jobs.jobs, *settings, programs, times_of(run));
  std::vector<CountJob> all;
  for (const CountJob& job : found_jobs.jobs)
    for (std::int64_t i = 0; i < wanted.processes; ++i) all.push_back(job);
  const CountForecast forecast = forecast_count(request, wanted, found.selection, run);
  if (!all.empty()) observer.on_note(words_of(forecast));
  Pass pass(request, *settings, programs, run.plan.profile, scratch, Executables(found.executables, hashes));
  for (const auto& [place, why] : found_jobs.unknown) pass.add_unknown(place.first, place.second, why);
  if (auto ran = pass.run(all, static_cast<std::size_t>(forecast.at_once), deadline, observer); !ran)
    return ran.error();
  return pass.take_all();
}

base::Result<std::vector<CountedCase>> count_only(const Request& request, const record::Run& timed,
                                                  std::chrono::nanoseconds limit, Observer& observer) {
  const process::InterruptScope interrupts;
  const auto deadline = Clock::now() + limit;
  std::optional<MachineLock> lock;
  if (!request.lock_file.empty())
    lock = MachineLock::take(
        request.lock_file, request.lock_wait, [&](const std::string& why) { observer.on_note(why); }, own_lock_file());
  const auto scratch = process::TemporaryFolder::create();
  if (!scratch) return scratch.error();
  ObjectHashes hashes;
  auto found = survey(request, scratch->path(), hashes);
  if (!found) return found.error();
  auto counted = count_cases(request, request.count.value_or(CountRequest{}), *found, timed, hashes, scratch->path(),
                             deadline, observer);
  if (process::stop_requested())
    return base::Error{base::ErrorCode::interrupted, "interrupted while instructions were counted"};
  return counted;
}

}  // namespace torchgate::launch
