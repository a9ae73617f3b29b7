// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/srun.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/launch/rank_processes.hpp"
#include "harness/launch/report_file.hpp"
#include "harness/machine/facts.hpp"
#include "harness/machine/system_files.hpp"
#include "harness/process/in_path.hpp"

namespace torchgate::launch {
namespace {

using base::Error;
using base::ErrorCode;

// The shell of a rank. Its last line says rank, node, exit code and CPU time (fields 16 and 17 of /proc/PID/stat: of the children that it waited for): the
// exit code of srun may be that of a rank that it killed. Where one fails, srun kills the others (--kill-on-bad-exit), and may lose what was
// printed a moment before; one that only lost another rank ends last, so that the cause is known by then.
constexpr const char* rank_script = R"sh(export RANK="$SLURM_PROCID" LOCAL_RANK="$SLURM_LOCALID"
"$@"
code=$?
read -r stat </proc/$$/stat
set -- ${stat##*) }
printf '\ntorchgate-rank %s %s %s %s\n' "$RANK" "$SLURM_NODEID" "$code" "$((${14} + ${15}))" >&2
case $code in 0) ;; 3) sleep 5 ;; *) sleep 1 ;; esac
exit "$code")sh";
static_assert(exit_lost_rank == 3 && rank_patience == std::chrono::seconds(5), "they are in rank_script");

constexpr std::string_view last_line = "torchgate-rank ";
// Printed by every srun of a cluster without a plugin for it, as --cpu-bind=none says what is so anyway.
constexpr std::string_view without_binding = "srun: cluster configuration lacks support for cpu binding";

constexpr int exit_timeout = 124;  // of coreutils' timeout; 137 where its SIGTERM was not enough
constexpr int exit_killed = 137;
constexpr int exit_signals = 128;  // and the number of the signal
constexpr int most_signals = 64;

// Slurm has to create the step first. On a busy controller that takes seconds.
constexpr std::chrono::seconds step_patience{60};
// srun aborts the step at SIGTERM, and waits until it has ended.
constexpr std::chrono::seconds abort_patience{10};
// The last lines of the ranks come behind whatever they print.
constexpr std::size_t srun_tail_bytes = 64 * 1024;

std::optional<std::string> own_variable(const OwnEnvironment& environment, const char* name) {
  const auto found = environment.find(name);
  return found == environment.end() || found->second.empty() ? std::nullopt : std::optional(found->second);
}

std::int64_t count_in(const OwnEnvironment& environment, const char* name) {
  const auto text = own_variable(environment, name);
  return text ? machine::to_integer(*text).value_or(1) : 1;
}

Error not_by_srun(const std::string& problem) {
  return {ErrorCode::bad_input, "ranks by srun: " + problem};
}

// As Slurm itself reaches it; the name where Slurm does not say more.
std::string address_of(const std::string& node) {
  const auto scontrol = process::in_path("scontrol");
  if (!scontrol) return node;
  process::Command command;
  command.executable = *scontrol;
  command.arguments = {"show", "node", node};
  command.time_limit = abort_patience;
  constexpr std::string_view before_it = "NodeAddr=";
  const process::Outcome outcome = process::run_process(command);
  for (const std::string_view word : machine::words(outcome.tail))
    if (word.starts_with(before_it)) return std::string(word.substr(before_it.size()));
  return node;
}

struct RankEnd {
  std::int64_t rank = 0;
  std::int64_t node = -1;  // unknown
  int code = 0;
  std::chrono::nanoseconds cpu{0};
};

std::optional<RankEnd> rank_end_of(std::string_view line) {
  if (!line.starts_with(last_line)) return std::nullopt;
  std::vector<std::int64_t> numbers;
  for (const std::string_view word : machine::words(line.substr(last_line.size()))) {
    const auto number = machine::to_count(word);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  if (numbers.size() != 4 || numbers[2] > 255) return std::nullopt;
  const std::chrono::nanoseconds tick = std::chrono::nanoseconds(std::chrono::seconds(1)) / sysconf(_SC_CLK_TCK);
  // A suite can print such a line: of its CPU time at most a day is taken.
  const std::int64_t ticks = std::min(numbers[3], std::chrono::nanoseconds(std::chrono::hours(24)) / tick);
  return RankEnd{numbers[0], numbers[1], static_cast<int>(numbers[2]), ticks * tick};
}

/// "srun: error: n5: task 1: Exited with exit code 139", or "tasks 0-1: ...".
std::optional<RankEnd> end_by_srun(std::string_view line) {
  constexpr std::string_view exited = ": Exited with exit code ";
  const std::size_t at = line.find(exited);
  const std::size_t task = line.find(": task");
  if (!line.starts_with("srun: error: ") || at == std::string_view::npos || task >= at) return std::nullopt;
  const std::string_view number = line.substr(std::min(line.find(' ', task + 2), at) + 1);
  const auto rank = machine::to_count(number.substr(0, number.find_first_of(",-:")));
  const auto code = machine::to_count(line.substr(at + exited.size()));
  if (!rank || !code || *code > 255) return std::nullopt;
  RankEnd end;
  end.rank = *rank;
  end.code = static_cast<int>(*code);
  return end;
}

/// Takes the lines of the ranks' shells out of OUTPUT. What srun says of a rank counts where nothing else is known of it.
std::vector<RankEnd> take_rank_ends(std::string& output) {
  std::vector<RankEnd> ends;
  std::vector<RankEnd> by_srun;
  std::string rest;
  for (const std::string_view line : machine::lines(output)) {
    if (const auto end = rank_end_of(line)) {
      ends.push_back(*end);
      continue;
    }
    if (const auto end = end_by_srun(line)) by_srun.push_back(*end);
    if (line != without_binding && !line.empty()) rest.append(line).push_back('\n');
  }
  output = std::move(rest);
  for (const RankEnd& end : by_srun) {
    const auto same = [&](const RankEnd& known) { return known.rank == end.rank; };
    if (std::none_of(ends.begin(), ends.end(), same)) ends.push_back(end);
  }
  return ends;
}

void end_with(int code, bool at_limit, process::Outcome& rank) {
  rank.ending = process::Ending::exited;
  rank.exit_code = code;
  if (at_limit && (code == exit_timeout || code == exit_killed)) {
    rank.ending = process::Ending::timed_out;
  } else if (code > exit_signals && code <= exit_signals + most_signals) {
    rank.ending = process::Ending::signalled;
    rank.exit_code.reset();
    rank.signal = code - exit_signals;
  }
}

/// Of each rank, from that of srun. One that said nothing was killed with its shell: because another one failed, or it is what failed.
std::vector<process::Outcome> outcomes_of_ranks(const process::Outcome& srun, const std::vector<RankEnd>& ends,
                                                std::int64_t ranks, bool at_limit) {
  process::Outcome silent = srun;
  silent.cpu = std::chrono::nanoseconds(0);
  end_with(srun.exit_code.value_or(1), at_limit, silent);
  if (std::any_of(ends.begin(), ends.end(), [](const RankEnd& end) { return end.code != 0; }))
    silent.ending = process::Ending::abandoned;
  std::vector<process::Outcome> outcomes(static_cast<std::size_t>(ranks), silent);
  std::chrono::nanoseconds order{0};
  for (const RankEnd& end : ends) {
    if (end.rank >= ranks) continue;
    process::Outcome& outcome = outcomes[static_cast<std::size_t>(end.rank)];
    end_with(end.code, at_limit, outcome);
    outcome.cpu = end.cpu;
    outcome.ended = srun.ended + ++order;
  }
  return outcomes;
}

}  // namespace

bool by_srun(RanksWith with, const OwnEnvironment& environment) {
  if (with != RanksWith::automatic) return with == RanksWith::srun;
  return own_variable(environment, "SLURM_JOB_ID") &&
         (count_in(environment, "SLURM_NTASKS") > 1 || count_in(environment, "SLURM_JOB_NUM_NODES") > 1);
}

std::int64_t SrunJob::nodes_for(std::int64_t ranks) const {
  return std::min(nodes, ranks);
}

base::Result<SrunJob> srun_job(const OwnEnvironment& environment) {
  if (!own_variable(environment, "SLURM_JOB_ID"))
    return not_by_srun(
        "this is not a job of Slurm (SLURM_JOB_ID is not set); submit it with sbatch, or let torchgate start them "
        "(--ranks-with torchgate)");
  const auto node = own_variable(environment, "SLURM_NODEID");
  const auto name = own_variable(environment, "SLURMD_NODENAME");
  if (!name || node.value_or("") != "0")
    return not_by_srun(
        "this is not the first node of the job, where rank 0 runs; start torchgate in the script of the job, without "
        "srun");
  const auto srun = process::in_path("srun");
  if (!srun)
    return not_by_srun(
        "srun is not in PATH; install it on this node, or let torchgate start them on this node "
        "(--ranks-with torchgate)");
  SrunJob job;
  job.srun = *srun;
  job.nodes = std::max<std::int64_t>(1, count_in(environment, "SLURM_JOB_NUM_NODES"));
  if (job.nodes > 1) job.address = address_of(*name);
  return job;
}

process::Command srun_command(const SrunJob& job, const process::Command& suite, std::int64_t ranks, int port,
                              std::optional<int> cpu) {
  const std::int64_t nodes = job.nodes_for(ranks);
  process::Command command = suite;
  command.executable = job.srun;
  // More ranks than CPUs are allowed, and each may use all of them: as where torchgate starts them. No MPI library takes part.
  command.arguments = {fmt::format("--ntasks={}", ranks),
                       fmt::format("--nodes={}", nodes),
                       "--relative=0",
                       "--overcommit",
                       "--cpu-bind=none",
                       "--mpi=none",
                       "--export=ALL",
                       "--input=none",
                       "--kill-on-bad-exit=1",
                       "/bin/sh",
                       "-c",
                       rank_script,
                       "torchgate-rank"};
  if (suite.time_limit) {
    const double seconds = std::chrono::duration<double>(*suite.time_limit).count();
    for (const std::string& word : {std::string("timeout"), std::string("--foreground"), std::string("--kill-after=1"),
                                    fmt::format("{:.3f}", seconds)})
      command.arguments.push_back(word);
    command.time_limit = *suite.time_limit + step_patience;
  }
  command.arguments.push_back(std::filesystem::absolute(suite.executable).string());
  command.arguments.insert(command.arguments.end(), suite.arguments.begin(), suite.arguments.end());
  command.environment = merged_environment(suite.environment, {{"WORLD_SIZE", std::to_string(ranks)},
                                                               {"MASTER_ADDR", nodes > 1 ? job.address : "127.0.0.1"},
                                                               {"MASTER_PORT", std::to_string(port)}});
  if (cpu) command.environment.push_back({"TORCHGATE_RANK_CPU", std::to_string(*cpu)});
  if (ranks % nodes == 0)
    command.environment.push_back({"LOCAL_WORLD_SIZE", std::to_string(ranks / nodes)});
  else
    command.unset.emplace_back("LOCAL_WORLD_SIZE");
  command.unset.emplace_back("TORCHELASTIC_USE_AGENT_STORE");
  command.termination_grace = abort_patience;
  command.tail_bytes = srun_tail_bytes;
  return command;
}

SuiteAnswer ask_ranks_by_srun(const SrunJob& job, const process::Command& command, std::int64_t ranks,
                              const std::filesystem::path& report_file) {
  const ReportFile file(report_file);
  const auto port = port_for_ranks();
  if (!port) return not_started(port.error().message);
  const std::int64_t nodes = job.nodes_for(ranks);
  const std::int64_t on_first = (ranks + nodes - 1) / nodes;
  const process::Command srun =
      srun_command(job, command, ranks, *port, shared_rank_cpu(on_first, machine::affinity()));
  process::Outcome outcome = process::run_process(srun);
  outcome.left_behind = 0;  // a helper of srun, which ends a moment after it
  // They are those of srun.
  outcome.executable.reset();
  outcome.usage.reset();
  outcome.peak_resident_bytes.reset();
  const std::vector<RankEnd> ends = take_rank_ends(outcome.tail);
  const bool ran = outcome.ending == process::Ending::exited && (outcome.exit_code == 0 || !ends.empty());
  if (!ran) {
    SuiteAnswer answer = answer_of(srun, outcome, file);
    if (!answer.interrupted) answer.message = "srun: " + answer.message;
    return answer;
  }
  const bool at_limit = command.time_limit && outcome.wall >= *command.time_limit;
  SuiteAnswer answer = answer_of_ranks(command, outcomes_of_ranks(outcome, ends, ranks, at_limit), file);
  for (const RankEnd& end : ends)
    if (end.node == 0) answer.cpu_beside += end.cpu;
  return answer;
}

}  // namespace torchgate::launch
