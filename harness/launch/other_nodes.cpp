// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/other_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>
#include <utility>

#include "harness/launch/health.hpp"
#include "harness/launch/shards/join_runs.hpp"
#include "harness/machine/doctor/rows.hpp"
#include "harness/machine/load_watch.hpp"
#include "harness/machine/system_files.hpp"
#include "harness/record/codec.hpp"

namespace torchgate::launch {
namespace {

namespace doctor = machine::doctor;
using base::Error;
using base::ErrorCode;
using record::MachineCheck;

// The doctor watches a second; a busy node takes longer.
constexpr std::chrono::seconds doctor_patience{60};
// Of a node: about 20 KiB are usual, and long variables are facts.
constexpr std::size_t answer_bytes = 128 * 1024;
// Of the program and its environment, which all nodes have in common: how they matter to this run the first node knows.
constexpr std::array in_common{std::string_view("build"), std::string_view("cuda_launch_blocking"),
                               std::string_view("environment")};

template <class Rows>
bool has(const Rows& rows, std::string_view name) {
  return std::any_of(rows.begin(), rows.end(), [&](const MachineCheck& row) { return row.name == name; });
}

process::Command doctor_command(const Request& request) {
  process::Command command;
  std::error_code error;
  command.executable = std::filesystem::read_symlink("/proc/self/exe", error);
  command.arguments = {"doctor", "--json", "--threads", std::to_string(threads_of(sources_of(request)))};
  command.environment = request.environment;
  command.unset = request.unset;
  command.time_limit = doctor_patience;
  return command;
}

/// What the tasks of OUTCOME printed, without their labels and line ends: srun ends lines that are longer than its messages. What has no label is srun's own, and
/// the last one.
std::vector<std::string> outputs_of(const process::Outcome& outcome, std::size_t tasks) {
  std::vector<std::string> texts(tasks + 1);
  for (const std::string_view line : machine::lines(outcome.tail)) {
    const std::size_t end = std::min(line.find(": "), line.size());
    const auto task = machine::to_count(line.substr(0, end));
    if (task && *task < static_cast<std::int64_t>(tasks))
      texts[static_cast<std::size_t>(*task)] += line.substr(std::min(end + 2, line.size()));
    else if (line.starts_with("srun: error: "))
      texts.back() = line;
  }
  return texts;
}

std::string why_silent(const process::Outcome& outcome, const std::string& of_srun) {
  switch (outcome.ending) {
    case process::Ending::not_started:
      return outcome.error;
    case process::Ending::timed_out:
      return "no answer within " + seconds_text(outcome.wall);
    case process::Ending::interrupted:
      return "interrupted";
    default:
      return of_srun.empty() ? "it printed nothing" : of_srun;
  }
}

/// What makes THERE another type of machine than HERE.
std::string difference(const record::Machine& here, const record::Machine& there) {
  if (const auto host = host_difference(here, there))
    return fmt::format("{} is \"{}\" and not \"{}\"", host->fact, host->second, host->first);
  if (here.host_key != there.host_key)
    return fmt::format("its host key is {} and not {}", there.host_key, here.host_key);
  return fmt::format("its GPUs are \"{}\" and not \"{}\"", there.device_key.value_or("none"),
                     here.device_key.value_or("none"));
}

/// In place of that of an earlier part of a resumed run.
void set_fact(record::MachineFact fact, record::Machine& machine) {
  std::erase_if(machine.facts, [&](const auto& known) { return known.name == fact.name; });
  machine.facts.push_back(std::move(fact));
}

base::Result<record::Machine> answer_in(const std::string& text, const std::string& why_not) {
  const std::size_t begin = text.find('{');
  if (begin == std::string::npos) return Error{ErrorCode::io, text.empty() ? why_not : text};
  return record::machine_from_doctor(std::string_view(text).substr(begin, text.rfind('}') + 1 - begin), "its answer");
}

}  // namespace

OtherNodes::OtherNodes(const std::optional<SrunJob>& job, const Request& request) : job_(job) {
  if (!job_ || job_->used < 2) return;
  doctor_ =
      srun_on_other_nodes(*job_, doctor_command(request), answer_bytes * static_cast<std::size_t>(job_->used - 1));
}

OtherNodes::Answers OtherNodes::ask() const {
  if (doctor_.executable.empty()) return {};
  const process::Outcome outcome = process::run_process(doctor_);
  std::vector<std::string> texts = outputs_of(outcome, static_cast<std::size_t>(job_->used - 1));
  const std::string why_not = why_silent(outcome, texts.back());
  texts.pop_back();
  Answers answers;
  for (const std::string& text : texts) answers.push_back(answer_in(text, why_not));
  return answers;
}

std::string OtherNodes::name_of(std::size_t other) const {
  return job_->name_of(static_cast<std::int64_t>(other) + 1);
}

/// MACHINE has the rows that matter to this run: none of GPUs that it does not use.
void OtherNodes::add_worse(record::MachineChecks rows, std::size_t other, const record::Machine& machine,
                           record::MachineChecks& worst) const {
  std::erase_if(rows, [&](const MachineCheck& row) {
    return std::find(in_common.begin(), in_common.end(), row.name) != in_common.end() ||
           !(has(machine.checks_before, row.name) || has(machine.checks_after, row.name));
  });
  for (MachineCheck& row : rows) row.seen = name_of(other) + ": " + row.seen;
  worst = worse_checks(worst, rows);
}

void OtherNodes::warn(std::size_t other, const std::string& when, const Error& error, record::Run& run) const {
  run.warnings.push_back(
      fmt::format("{0}: `torchgate doctor` gave no answer {1} the run ({2}), so its load and settings are unknown; try "
                  "`srun --nodelist={0} torchgate doctor` in such a job",
                  name_of(other), when, error.message));
}

base::Result<void> OtherNodes::begin(record::Run& run) {
  before_ = ask();
  if (before_.empty()) return {};
  std::string answered;
  for (std::size_t other = 0; other < before_.size(); ++other) {
    const auto& node = before_[other];
    if (!node) {
      warn(other, "before", node.error(), run);
      continue;
    }
    const bool other_device = run.machine.device_key && node->device_key != run.machine.device_key;
    if (node->host_key != run.machine.host_key || other_device)
      return Error{
          ErrorCode::no_verdict,
          fmt::format("ranks on several nodes: {} is another type of machine than {} ({}); use nodes of one type "
                      "(`--constraint` of sbatch) and all of their CPUs (`--exclusive`), or start ranks on one node "
                      "(`--ranks-with torchgate`)",
                      name_of(other), job_->name_of(0), difference(run.machine, *node))};
    answered += (answered.empty() ? "" : ", ") + name_of(other);
    add_worse(node->checks_before, other, run.machine, run.machine.checks_before);
  }
  std::string all = job_->name_of(0);
  for (std::size_t other = 0; other < before_.size(); ++other) all += ", " + name_of(other);
  set_fact({"slurm_rank_nodes", all, "", record::FactClass::info}, run.machine);
  set_fact({"slurm_nodes_checked", answered.empty() ? std::nullopt : std::optional(answered),
            answered.empty() ? "no node answered" : "", record::FactClass::info},
           run.machine);
  return {};
}

void OtherNodes::finish(record::Run& run, const CpuOfNodes& cpu) {
  if (run.interrupted) return;  // no program is started any more
  const Answers after = ask();
  for (std::size_t other = 0; other < after.size(); ++other) {
    if (!before_[other]) continue;
    if (!after[other]) {
      warn(other, "after", after[other].error(), run);
      continue;
    }
    const auto used = cpu.find(static_cast<std::int64_t>(other) + 1);
    record::MachineChecks rows = doctor::load_change_rows(machine::change_of_load(
        before_[other]->facts, after[other]->facts, used == cpu.end() ? std::chrono::nanoseconds(0) : used->second));
    for (MachineCheck& row : doctor::changed_settings(before_[other]->checks_before, after[other]->checks_before))
      rows.push_back(std::move(row));
    // Its devices are watched for a second after the run: still hot from it.
    for (const MachineCheck& row : after[other]->checks_before) {
      const auto* const kind = doctor::find_kind(row.name);
      if (kind != nullptr && kind->moment == doctor::Moment::during && row.name.starts_with("gpu_"))
        rows.push_back(row);
    }
    add_worse(std::move(rows), other, run.machine, run.machine.checks_after);
  }
}

}  // namespace torchgate::launch
