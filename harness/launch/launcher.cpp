// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/launcher.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <random>
#include <string_view>
#include <utility>

#include "harness/base/counted.hpp"
#include "harness/base/limits.hpp"
#include "harness/base/timestamp.hpp"
#include "harness/launch/count/count.hpp"
#include "harness/launch/count/count_cost.hpp"
#include "harness/launch/health.hpp"
#include "harness/launch/machine_lock.hpp"
#include "harness/launch/other_nodes.hpp"
#include "harness/launch/session.hpp"
#include "harness/launch/shards/join_runs.hpp"
#include "harness/launch/srun.hpp"
#include "harness/launch/survey.hpp"
#include "harness/launch/unchanged.hpp"
#include "harness/process/interrupt.hpp"
#include "harness/process/temporary_folder.hpp"
#include "harness/record/protocol.hpp"

namespace torchgate::launch {
namespace {

std::string hexadecimal(std::uint64_t number) {
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(number));
  return text.data();
}

std::uint64_t random_number() {
  std::uint64_t number = 0;
  if (getrandom(&number, sizeof number, 0) == static_cast<ssize_t>(sizeof number)) return number;
  std::random_device device;
  return (std::uint64_t{device()} << 32) | device();
}

record::Run new_run(const Request& request, const Survey& found, const machine::FactSources& sources) {
  record::Run run;
  run.id = hexadecimal(random_number());
  run.created = base::utc_timestamp(std::chrono::system_clock::now());
  run.tool_version = request.tool_version;
  run.plan = request.plan;
  run.plan.suites = found.selection.suites;
  run.plan.division = found.selection.division;
  run.plan.group_limit_s = request.plan.group_limit_s.value_or(static_cast<double>(default_group_limit.count()));
  run.plan.total_limit_s = request.plan.total_limit_s.value_or(static_cast<double>(default_total_limit.count()));
  if (!request.only_cases.empty()) run.plan.filter = recorded_filter(request.only_cases);
  if (request.count) run.plan.count = count_plan(*request.count);
  run.machine = machine::collect_machine(sources);
  for (const SideRequest& side : request.sides) {
    run.sides.push_back({side.label, side.source, {}});
    for (const auto& path : side.suites) run.sides.back().suite_paths.push_back(path.string());
  }
  run.groups = found.selection.groups;
  run.cases = found.selection.cases;
  run.warnings = request.warnings;
  run.warnings.insert(run.warnings.end(), found.selection.warnings.begin(), found.selection.warnings.end());
  return run;
}

std::string duration_words(std::chrono::seconds gap) {
  constexpr std::int64_t minute_s = 60;
  constexpr std::int64_t hour_s = 3600;
  const std::int64_t s = std::max<std::int64_t>(0, gap.count());
  if (s >= 2 * hour_s) return std::to_string(s / hour_s) + " h";
  if (s >= 2 * minute_s) return std::to_string(s / minute_s) + " min";
  return std::to_string(s) + " s";
}

/// " (threads was "1" and is "2")": what makes them different hosts.
std::string host_change(const record::Machine& before, const record::Machine& now) {
  const auto found = host_difference(before, now);
  return found ? " (" + found->fact + " was \"" + found->first + "\" and is \"" + found->second + "\")" : "";
}

std::string value_of(const record::MachineFact& fact) {
  return fact.value.value_or("unknown");
}

/// The first fact about variables that libraries read that changed: "environment_switches was "none" and is "DEBUG=1"". Absent: none did.
std::optional<std::string> environment_change(const record::Machine& before, const record::Machine& now) {
  for (const record::MachineFact& was : before.facts) {
    if (was.name != "environment_switches" && was.name != "library_environment") continue;
    for (const record::MachineFact& is : now.facts)
      if (is.name == was.name && is.value != was.value)
        return was.name + " was \"" + value_of(was) + "\" and is \"" + value_of(is) + "\"";
  }
  return std::nullopt;
}

/// Why UNFINISHED cannot be resumed here as FRESH, the run as it would be started now; otherwise FRESH with the
/// measured processes.
base::Result<record::Run> continued(const Unfinished& unfinished, record::Run fresh) {
  const record::Run& old = unfinished.run;
  const auto refuse = [&](base::ErrorCode code, const std::string& why) {
    return base::Error{code, "run " + old.id + " cannot be resumed: " + why};
  };
  if (old.machine.host_key != fresh.machine.host_key)
    return refuse(base::ErrorCode::no_verdict, "it was started on host " + old.machine.host_key + ", this is " +
                                                   fresh.machine.host_key + host_change(old.machine, fresh.machine) +
                                                   "; measurements of different machines are never combined");
  if (const auto change = environment_change(old.machine, fresh.machine))
    return refuse(base::ErrorCode::bad_input,
                  *change + "; set these variables as they were, or start a new run with `torchgate run`");
  const auto same_case = [](const record::Case& a, const record::Case& b) {
    return a.name == b.name && a.group == b.group && a.protocol == b.protocol && a.input_seed == b.input_seed &&
           a.skipped.has_value() == b.skipped.has_value();
  };
  if (!std::equal(old.cases.begin(), old.cases.end(), fresh.cases.begin(), fresh.cases.end(), same_case))
    return refuse(base::ErrorCode::bad_input,
                  "its suites now list different cases; start a new run with `torchgate run`");
  const auto gap = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now() - unfinished.last);
  record::Run run = old;
  run.interrupted = false;
  run.plan.count = fresh.plan.count;
  run.plan.varied = fresh.plan.varied;  // what was given when it was resumed, too
  run.plan.libtorch_versions = fresh.plan.libtorch_versions;
  run.plan.informs = fresh.plan.informs;
  run.machine.checks_before.clear();  // of the earlier part; they are merged into those of this part
  append_warnings(fresh, run);
  run.warnings.push_back("The run was interrupted after " +
                         base::counted(old.processes.size(), "process", "processes") + " and resumed " +
                         duration_words(gap) + " later: the machine may have changed in between");
  if (old.tool_version != fresh.tool_version)
    run.warnings.push_back("The run was started by torchgate " + old.tool_version + " and finished by " +
                           fresh.tool_version);
  return run;
}

bool has_ranks(const std::vector<record::Group>& groups) {
  return std::any_of(groups.begin(), groups.end(), [](const record::Group& group) { return group.ranks > 1; });
}

/// Ranks as tasks of a job of Slurm, where REQUEST wants them and a group has some. On several nodes they are other cases: messages between nodes take
/// other times than those within one.
base::Result<void> use_srun(const Request& request, Survey& found) {
  std::map<std::string_view, std::int64_t> ranks;
  for (const record::Group& group : found.selection.groups)
    if (group.ranks > 1) ranks.emplace(group.name, group.ranks);
  if (ranks.empty() || !by_srun(request.ranks_with, request.machine.environment)) return {};
  auto job = srun_job(request.machine.environment);
  if (!job) return job.error();
  for (record::Case& each : found.selection.cases) {
    const auto of_group = ranks.find(each.group);
    if (of_group == ranks.end()) continue;
    const std::int64_t nodes = job->nodes_for(of_group->second);
    if (nodes > 1) each.protocol = record::on_nodes(each.protocol, nodes);
    job->used = std::max(job->used, nodes);
  }
  found.srun = *std::move(job);
  return {};
}

/// Raises a number of processes that is too small for any verdict. A resumed run keeps its schedule.
void raise_processes(const Request& request, record::Run& run) {
  if (!request.fewest_processes || request.resume) return;
  run.plan.processes = std::max(run.plan.processes, request.fewest_processes(run));
}

/// The suites to run, with the hashes of their content.
std::vector<FileHash> executables_of(const Survey& found) {
  std::vector<FileHash> files;
  for (const SelectedGroup& group : found.selection.to_run) {
    for (const GroupOnSide& side : group.sides) {
      const auto same = [&](const FileHash& each) { return each.path == side.executable; };
      const auto known = std::find_if(found.executables.begin(), found.executables.end(), same);
      if (known != found.executables.end() && std::none_of(files.begin(), files.end(), same)) files.push_back(*known);
    }
  }
  return files;
}

/// Without a journal the run continues, but it cannot be resumed.
std::optional<Journal> open_journal(const Request& request, const std::vector<FileHash>& executables,
                                    record::Run& run) {
  if (request.journals.empty()) return std::nullopt;
  auto journal = request.resume ? Journal::go_on(request.resume->folder)
                                : Journal::begin(request.journals, run, executables, request.save_as);
  if (journal) return std::move(journal).value();
  run.warnings.push_back("The run is not saved while it is measured: " + journal.error().message);
  return std::nullopt;
}

/// A run whose instructions could not be counted is valid and has a warning; if it was stopped while counting, it is incomplete.
void add_counts(const Request& request, const Survey& found, ObjectHashes& hashes, const std::filesystem::path& scratch,
                std::chrono::steady_clock::time_point deadline, Observer& observer, record::Run& run) {
  auto counted = count_cases(request, *request.count, found, run, hashes, scratch, deadline, observer);
  if (!counted) {
    run.warnings.push_back(counted.error().message);
    return;
  }
  for (CountedCase& each : *counted) {
    if (!each.failed.empty() && !each.count.per_call.empty())
      run.warnings.push_back(fmt::format("{}: only {} of {} processes counted its instructions: {}",
                                         each.count.case_name, each.count.per_call.size(), request.count->processes,
                                         each.failed));
    run.instructions.push_back(std::move(each.count));
  }
  if (!process::stop_requested()) return;
  run.interrupted = true;
  run.warnings.emplace_back(
      "interrupted while instructions were counted: the times are complete, some counts are missing");
}

/// Of a plan whose limit was filled in.
std::chrono::steady_clock::duration limit_of(const record::Plan& plan) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(std::min(plan.total_limit_s.value_or(base::max_seconds), base::max_seconds)));
}

}  // namespace

base::Result<record::Run> measure(const Request& request, Observer& observer) {
  const process::InterruptScope interrupts;
  const auto scratch = scratch_folder();
  if (!scratch) return scratch.error();
  if (request.count) {  // the one that was asked for by name
    if (const auto counter = choose_counter(*request.count);
        !counter && counter.error().code == base::ErrorCode::bad_input)
      return counter.error();
  }
  std::optional<MachineLock> lock;
  if (!request.lock_file.empty())
    lock = MachineLock::take(
        request.lock_file, request.lock_wait, [&](const std::string& why) { observer.on_note(why); }, own_lock_file());
  if (process::stop_requested())
    return base::Error{base::ErrorCode::interrupted, "interrupted before anything was measured"};

  const machine::FactSources sources = sources_of(request);
  HealthWatch health(sources, request);  // before our own work affects the machine
  if (request.resume)
    if (auto same = check_unchanged(*request.resume); !same) return same.error();
  ObjectHashes hashes;
  auto found = survey(request, scratch->path(), hashes);
  if (!found) return found.error();
  if (auto ready = use_srun(request, *found); !ready) return ready.error();
  record::Run run = new_run(request, *found, sources);
  raise_processes(request, run);
  if (request.resume) {
    auto more = continued(*request.resume, std::move(run));
    if (!more) return more;
    run = *std::move(more);
  }
  if (lock && !lock->warning().empty()) run.warnings.push_back(lock->warning());
  health.begin(run);
  leave_out_unchanged(request, *found, run, hashes, observer);
  const std::optional<SrunJob> job = has_ranks(found->selection.groups) ? found->srun : std::nullopt;
  OtherNodes other_nodes(job, request);
  if (auto alike = other_nodes.begin(run); !alike) return alike.error();
  if (request.resume)
    run.machine.checks_before = worse_checks(run.machine.checks_before, request.resume->run.machine.checks_before);
  const std::vector<FileHash> executables = executables_of(*found);
  if (request.launched) request.launched(executables);
  std::optional<Journal> journal = open_journal(request, executables, run);
  Forecast forecast = forecast_of(*found, run.plan);
  forecast.at_most = request.rounds != nullptr;
  if (run.plan.budget_s && forecast.seconds) forecast.seconds = std::min(*forecast.seconds, *run.plan.budget_s);
  if (request.count) forecast.count = forecast_count(request, *request.count, found->selection, {});
  observer.on_plan(forecast);
  const auto began = std::chrono::steady_clock::now();

  Session session(request, *found, scratch->path(), run, observer, hashes, journal ? &*journal : nullptr);
  if (request.resume) {
    if (auto fits = session.go_on(*request.resume); !fits) return fits.error();
    observer.on_note("resuming run " + run.id + ": " +
                     base::counted(request.resume->run.processes.size(), "process", "processes") + " already measured");
  }
  if (auto done = session.run_all(); !done) return done.error();
  session.record_failed(std::move(found->failed));

  if (request.count && !run.interrupted)
    add_counts(request, *found, hashes, scratch->path(), began + limit_of(run.plan), observer, run);
  if (run.processes.empty() && !run.unchanged.empty()) {
    run.machine.checks_before.clear();  // of a machine that measured nothing
  } else {
    health.finish(run, session.cpu_beside());
    other_nodes.finish(run, session.cpu_beside());
  }
  return run;
}

std::uint64_t fresh_seed() {
  return random_number() >> 11;
}  // 53 bits

}  // namespace torchgate::launch
