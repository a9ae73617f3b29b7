// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/session.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include "harness/base/counted.hpp"
#include "harness/base/limits.hpp"
#include "harness/base/timestamp.hpp"
#include "harness/launch/rank_processes.hpp"
#include "harness/launch/srun.hpp"
#include "harness/launch/suite_process.hpp"
#include "harness/process/interrupt.hpp"
#include "harness/process/temporary_folder.hpp"
#include "harness/record/process.hpp"

namespace torchgate::launch {
namespace {

using Clock = std::chrono::steady_clock;

std::chrono::nanoseconds duration(double seconds) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::duration<double>(std::min(seconds, base::max_seconds)));
}

std::vector<std::optional<double>> estimates(const std::vector<SelectedGroup>& groups) {
  std::vector<std::optional<double>> result;
  result.reserve(groups.size());
  for (const SelectedGroup& group : groups) result.push_back(group.sides.front().seconds);
  return result;
}

std::vector<std::map<std::string, std::string>> restored_of(const Request& request) {
  std::vector<std::map<std::string, std::string>> restored;
  for (const SideRequest& side : request.sides) restored.push_back(side.restored);
  return restored;
}

}  // namespace

Session::Session(const Request& request, const Survey& found, std::filesystem::path scratch, record::Run& run,
                 Observer& observer, ObjectHashes& hashes, Journal* journal)
    : request_(request),
      groups_(found.selection.to_run),
      executables_(found.executables),
      srun_(found.srun),
      scratch_(std::move(scratch)),
      run_(run),
      observer_(observer),
      hashes_(hashes),
      journal_(journal),
      collector_(run, hashes, request.unset, restored_of(request)),
      time_left_(estimates(groups_)),
      rounds_(groups_.size(), 0),
      remaining_(groups_.size(), 0),
      listing_(began_ - found.began) {
  std::vector<GroupSides> sides;
  for (const SelectedGroup& group : groups_) {
    sides.emplace_back();
    for (const GroupOnSide& side : group.sides) sides.back().sides.push_back(side.side);
  }
  slots_ = make_schedule(sides, run.plan.processes, run.plan.seed);
  for (const Slot& slot : slots_) ++remaining_[slot.group];
}

base::Result<void> Session::run_all() {
  if (auto ran = run_begun_rounds(); !ran) return ran;
  if (auto ran = run_rounds(); !ran) return ran;
  run_.interrupted = process::stop_requested();
  collector_.finish();
  return {};
}

/// What an earlier part of the run measured, and what it left of these rounds: the partner of a half pair.
base::Result<void> Session::run_begun_rounds() {
  std::set<std::pair<std::size_t, std::int64_t>> begun;
  for (const auto& [index, process] : measured_) begun.emplace(slots_[index].group, slots_[index].round);
  for (std::size_t i = 0; i < slots_.size() && !process::stop_requested(); ++i) {
    if (!begun.contains({slots_[i].group, slots_[i].round})) continue;
    if (auto ran = run_slot(i); !ran) return ran;
    rounds_[slots_[i].group] = slots_[i].round + 1;
  }
  return {};
}

base::Result<void> Session::run_rounds() {
  while (!process::stop_requested() && !budget_spent()) {
    const std::vector<std::size_t> slots = next_slots();
    if (slots.empty()) break;
    for (const std::size_t index : slots) {
      if (process::stop_requested()) break;
      if (slots_[index].order_in_pair == 0 && budget_spent()) break;  // never between the two of a pair
      if (auto ran = run_slot(index); !ran) return ran;
    }
  }
  return {};
}

base::Result<void> Session::run_slot(std::size_t index) {
  const Slot& slot = slots_[index];
  if (in_turns_.contains(index)) return {};
  if (measured_.contains(index)) {
    take_over(index);
  } else if (const std::string reason = reason_not_to_start(slot); !reason.empty()) {
    record_not_started(index, reason);
  } else if (const std::string changed = what_changed(slot); !changed.empty()) {
    if (run_.sides.size() == 2) return base::Error{base::ErrorCode::bad_input, changed};
    record_not_started(index, "not started: " + changed);
  } else {
    start(index);
  }
  return {};
}

std::set<std::string> Session::ask_for_round() {
  std::set<std::string> groups = request_.rounds->next(run_);
  round_ = request_.rounds->so_far();
  round_at_ = Clock::now() - began_;
  expected_at_round_.reset();
  // Processes that take turns run at once, and there is time between processes: by the clock, not by their own times.
  if (round_ && round_->spent_s > 0) {
    const double share = round_->expected_s / round_->spent_s;
    expected_at_round_ = duration(share * std::chrono::duration<double>(round_at_).count());
  }
  return groups;
}

std::vector<std::size_t> Session::next_slots() {
  std::set<std::string> groups;
  if (request_.rounds) groups = ask_for_round();
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const Slot& slot = slots_[i];
    if (slot.round != rounds_[slot.group]) continue;
    if (!request_.rounds || groups.contains(groups_[slot.group].name)) chosen.push_back(i);
  }
  for (const std::size_t i : chosen) rounds_[slots_[i].group] = slots_[i].round + 1;
  return chosen;
}

base::Result<void> Session::go_on(const Unfinished& unfinished) {
  const auto refuse = [&](const record::Process& process, const std::string& why) {
    return base::Error{base::ErrorCode::bad_input, "run " + unfinished.run.id + " cannot be resumed: process " +
                                                       std::to_string(process.index) + " of " + process.group + " " +
                                                       why + "; start a new run with `torchgate run`"};
  };
  double earlier_s = 0;
  for (const record::Process& process : unfinished.run.processes) {
    const auto index = static_cast<std::size_t>(process.index);
    if (process.index < 0 || index >= slots_.size()) return refuse(process, "is not part of the current schedule");
    const record::Process now = planned(index);
    if (now.group != process.group || now.side != process.side || now.pair != process.pair || now.seed != process.seed)
      return refuse(process, "has another position in the current schedule");
    if (now.environment != process.environment) return refuse(process, "had different environment variables");
    if (!measured_.emplace(index, process).second) return refuse(process, "is a duplicate");
    earlier_s += std::chrono::duration<double>(std::chrono::nanoseconds(process.wall_ns)).count();
  }
  // Half a pair that took turns was saved when its other half was not: it is measured again, by both.
  for (std::size_t i = 0; i + 1 < slots_.size(); ++i) {
    if (!takes_turns(slots_[i]) || slots_[i].order_in_pair != 0 || measured_.contains(i) == measured_.contains(i + 1))
      continue;
    measured_.erase(i);
    measured_.erase(i + 1);
  }
  began_ -= duration(earlier_s);  // the run's limit includes the earlier part
  for (const ProcessFacts& facts : unfinished.facts) facts_of_[static_cast<std::size_t>(facts.index)] = facts.facts;
  run_.processes.clear();
  return {};
}

void Session::take_over(std::size_t index) {
  const Slot& slot = slots_[index];
  record::Process process = measured_.extract(index).mapped();
  --remaining_[slot.group];
  if (process.status != record::ProcessStatus::not_started) {
    if (process.status != record::ProcessStatus::ok) ++failures_[{slot.group, slot.side}];
    if (slot.order_in_pair == 0) ++begun_;
    time_left_.finished(slot.group, std::chrono::duration<double>(std::chrono::nanoseconds(process.wall_ns)).count());
    ++done_;
  }
  collector_.take_over(std::move(process), facts_of_[index]);
}

void Session::keep(const record::Process& process, const std::vector<record::Parameter>& facts) {
  if (journal_ == nullptr) return;
  if (auto kept = journal_->add(run_, process, facts); !kept) {
    run_.warnings.push_back("The run is not saved while it is measured: " + kept.error().message);
    journal_ = nullptr;
  }
}

void Session::tell_launched(const record::Process& process) const {
  if (!request_.launched) return;
  std::vector<FileHash> files;
  for (const std::int64_t index : process.objects) {
    const record::LoadedObject& object = run_.objects.at(static_cast<std::size_t>(index));
    if (!object.sha256.empty() && record::is_own_file(object)) files.push_back({object.path, object.sha256});
  }
  request_.launched(files);
}

void Session::record_failed(std::vector<record::Process> failed) {
  auto index = static_cast<std::int64_t>(slots_.size());
  for (record::Process& process : failed) {
    process.index = index++;
    run_.processes.push_back(std::move(process));
  }
}

const GroupOnSide& Session::on_side(const Slot& slot) const {
  const auto& sides = groups_[slot.group].sides;
  return *std::find_if(sides.begin(), sides.end(), [&](const GroupOnSide& each) { return each.side == slot.side; });
}

record::Process Session::planned(std::size_t index) const {
  const Slot& slot = slots_[index];
  record::Process process;
  process.index = static_cast<std::int64_t>(index);
  process.side = slot.side;
  process.pair = slot.pair;
  process.order_in_pair = slot.order_in_pair;
  process.suite = groups_[slot.group].suite;
  process.group = groups_[slot.group].name;
  process.seed = slot.seed;
  process.started = base::utc_timestamp(std::chrono::system_clock::now());
  process.environment =
      merged_environment(request_.environment, request_.sides[static_cast<std::size_t>(slot.side)].environment);
  return process;
}

std::string Session::reason_not_to_start(const Slot& slot) const {
  if (Clock::now() - began_ + listing_ >= duration(*run_.plan.total_limit_s))
    return "not started: the run reached its limit of " + seconds_text(duration(*run_.plan.total_limit_s));
  for (const GroupOnSide& side : groups_[slot.group].sides) {
    const auto failed = failures_.find({slot.group, side.side});
    if (failed != failures_.end() && failed->second >= record::failures_before_giving_up)
      return "not started: " + groups_[slot.group].name + " already failed " +
             base::counted(failed->second, "time", "times") + " on side '" +
             run_.sides[static_cast<std::size_t>(side.side)].label + "'";
  }
  return "";
}

/// Checked before each launch: an earlier process may have changed the file. Costs a stat() for each unchanged file.
std::string Session::what_changed(const Slot& slot) const {
  const auto changed = [&](const FileHash& file) -> std::string {
    const auto now = hashes_.sha256_of(file.path);
    if (now && *now == file.sha256) return "";
    return file.path.string() + " changed since the first launch: " +
           (now ? "its SHA-256 is " + *now + ", expected " + file.sha256 : now.error().message) +
           "; do not build or write there during a run, and measure again";
  };
  for (const GroupOnSide& side : groups_[slot.group].sides) {
    for (const FileHash& file : request_.sides[static_cast<std::size_t>(side.side)].files)
      if (auto why = changed(file); !why.empty()) return why;
    for (const FileHash& file : executables_)
      if (file.path == side.executable)
        if (auto why = changed(file); !why.empty()) return why;
  }
  return "";
}

void Session::record_not_started(std::size_t index, const std::string& reason) {
  record::Process process = planned(index);
  process.status = record::ProcessStatus::not_started;
  process.message = reason;
  run_.processes.push_back(std::move(process));
  --remaining_[slots_[index].group];
  keep(run_.processes.back(), {});
  observer_.on_process_finished(run_.processes.back(), progress());
}

process::Command Session::command_of(const Slot& slot, const record::Process& process) const {
  process::Command command;
  command.executable = on_side(slot).executable;
  command.environment = process.environment;
  command.unset = request_.unset;
  command.time_limit = duration(*run_.plan.group_limit_s);
  return command;
}

SuiteAnswer Session::ask(const Slot& slot, const record::Process& process) const {
  process::Command command = command_of(slot, process);
  const GroupOnSide& here = on_side(slot);
  // A new folder for every process: it contains no files of earlier ones, and they do not know its name.
  const auto folder = process::TemporaryFolder::create(scratch_);
  if (!folder) return not_started(folder.error().message);
  if (here.program) {
    BenchmarkJob job = job_of(slot);
    job.times = benchmark_times(run_.plan.profile);
    return run_benchmarks(command, job, folder->path());
  }
  const std::filesystem::path report = folder->path() / report_name;
  command = suite_command(slot, process, report);
  return srun_ && here.ranks > 1 ? ask_ranks_by_srun(*srun_, command, here.ranks, report)
                                 : ask_ranks(command, here.ranks, report);
}

BenchmarkJob Session::job_of(const Slot& slot) const {
  std::set<std::string> names;  // of both sides: their command lines are the same
  for (const GroupOnSide& side : groups_[slot.group].sides) names.insert(side.cases.begin(), side.cases.end());
  const GroupOnSide& here = on_side(slot);
  return {here.program.get(), here.cases, {names.begin(), names.end()}, {}, request_.better, false};
}

process::Command Session::suite_command(const Slot& slot, const record::Process& process,
                                        const std::filesystem::path& report) const {
  // A name of the same length for every process: command line and environment are on the stack, and their length moves
  // the data of the suite there (Mytkowicz et al., ASPLOS 2009).
  process::Command command = command_of(slot, process);
  command.arguments = {"--torchgate_group=" + process.group, "--torchgate_out=" + report.string(),
                       "--torchgate_profile=" + run_.plan.profile, "--torchgate_filter=" + groups_[slot.group].filter,
                       "--torchgate_seed=" + std::to_string(process.seed)};
  const std::vector<std::string> asked = sampling_flags(run_.plan);
  command.arguments.insert(command.arguments.end(), asked.begin(), asked.end());
  return command;
}

void Session::start(std::size_t index) {
  const Slot& slot = slots_[index];
  if (slot.order_in_pair == 0) ++begun_;
  if (slot.order_in_pair == 0 && takes_turns(slot)) return start_in_turns(index);
  record::Process process = planned(index);
  observer_.on_process_started(process, progress());
  SuiteAnswer answer = ask(slot, process);
  if (!answer.interrupted) take_answer(index, std::move(process), std::move(answer));
}

void Session::take_answer(std::size_t index, record::Process process, SuiteAnswer answer) {
  const Slot& slot = slots_[index];
  const bool counts_as_failure = !answer.lost_by_other;
  const auto wall = answer.outcome.wall;
  for (const auto& [node, cpu] : answer.cpu_beside) cpu_beside_[node] += cpu;
  const auto facts = answer.report ? answer.report->facts : std::vector<record::Parameter>{};
  const record::Process& recorded = collector_.add(std::move(process), on_side(slot), std::move(answer));
  if (recorded.status != record::ProcessStatus::ok && counts_as_failure) ++failures_[{slot.group, slot.side}];
  time_left_.finished(slot.group, std::chrono::duration<double>(wall).count());
  --remaining_[slot.group];
  ++done_;
  keep(recorded, facts);
  tell_launched(recorded);
  observer_.on_process_finished(recorded, progress());
}

bool Session::budget_spent() const {
  const record::Plan& plan = run_.plan;
  if (plan.budget_pairs && begun_ >= *plan.budget_pairs) return true;
  return plan.budget_s && Clock::now() - began_ >= duration(*plan.budget_s);
}

Progress Session::progress() const {
  Progress progress{done_, 0, Clock::now() - began_, std::nullopt};
  if (run_.plan.budget_s)
    progress.left = std::max(duration(*run_.plan.budget_s) - progress.elapsed, std::chrono::nanoseconds(0));
  if (request_.rounds) {
    progress.rounds = round_;
    if (progress.rounds) {
      const auto sides = std::max<std::int64_t>(1, static_cast<std::int64_t>(run_.sides.size()));
      RoundsSoFar& rounds = *progress.rounds;
      rounds.pairs = std::min(std::max(rounds.pairs, done_ / sides), std::max(rounds.pairs, rounds.most_pairs));
    }
    if (expected_at_round_) {
      const auto expected = std::max(*expected_at_round_ - (progress.elapsed - round_at_), std::chrono::nanoseconds(0));
      progress.left = std::min(expected, progress.left.value_or(std::chrono::nanoseconds::max()));
    }
    return progress;
  }
  progress.total = done_;
  for (const std::size_t launches : remaining_) progress.total += static_cast<std::int64_t>(launches);
  if (const auto seconds = time_left_.left(remaining_))
    progress.left = std::min(duration(*seconds), progress.left.value_or(std::chrono::nanoseconds::max()));
  return progress;
}

}  // namespace torchgate::launch
