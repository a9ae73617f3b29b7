// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/srun.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
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

// From here on numbers of steps are Slurm's own: that of the script of a job, or of an interactive shell.
constexpr std::int64_t first_own_step = 4294967280;
// They are of the srun or sbatch around torchgate, and would be options of each srun: labels before the lines of ranks, output into files, other nodes.
constexpr std::array unset_for_srun{"SLURM_LABELIO", "SLURM_STDOUTMODE", "SLURM_STDERRMODE", "SLURM_HOSTFILE",
                                    "SLURM_DISTRIBUTION"};

// A step with one task a node would get the CPUs and GPUs of one task, and the node would look smaller than it is.
constexpr std::array of_one_task{"SLURM_CPUS_PER_TASK", "SRUN_CPUS_PER_TASK",   "SLURM_GPUS_PER_TASK",
                                 "SLURM_TRES_PER_TASK", "SLURM_NTASKS_PER_GPU", "SLURM_NTASKS_PER_NODE"};

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

/// Whether srun started this program: a further step would wait for the CPUs and memory that this one has.
bool in_step(const OwnEnvironment& environment) {
  const auto step = own_variable(environment, "SLURM_STEP_ID");
  const auto number = step ? machine::to_integer(*step) : std::nullopt;
  return number && *number < first_own_step;
}

Error not_by_srun(const std::string& problem) {
  return {ErrorCode::bad_input, "ranks by srun: " + problem};
}

/// What `scontrol show WHAT NAME` prints; empty: nothing.
std::string shown(const std::string& what, const std::string& name) {
  const auto scontrol = process::in_path("scontrol");
  if (!scontrol) return "";
  process::Command command;
  command.executable = *scontrol;
  command.arguments = {"show", what, name};
  command.time_limit = abort_patience;
  command.tail_bytes = srun_tail_bytes;
  return process::run_process(command).tail;
}

// As Slurm itself reaches it; the name where Slurm does not say more.
std::string address_of(const std::string& node) {
  constexpr std::string_view before_it = "NodeAddr=";
  const std::string text = shown("node", node);
  for (const std::string_view word : machine::words(text))
    if (word.starts_with(before_it)) return std::string(word.substr(before_it.size()));
  return node;
}

std::vector<std::string> names_of(const std::string& nodes) {
  const std::string text = shown("hostnames", nodes);
  const auto names = machine::words(text);
  return {names.begin(), names.end()};
}

struct RankEnd {
  std::int64_t rank = 0;
  std::int64_t node = -1;  // unknown
  int code = 0;
  std::chrono::nanoseconds cpu{0};
  bool perhaps_by_srun = false;  // killed: by the kernel, or by srun because another rank failed
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

struct SignalWords {
  std::string_view words;
  int signal;
};
// As Slurm names the end of a task by a signal; "(core dumped)" can follow.
constexpr std::array<SignalWords, 7> signals_by_srun{{{"Killed", SIGKILL},
                                                      {"Out Of Memory", SIGKILL},
                                                      {"Segmentation fault", SIGSEGV},
                                                      {"Aborted", SIGABRT},
                                                      {"Illegal instruction", SIGILL},
                                                      {"Bus error", SIGBUS},
                                                      {"Floating point exception", SIGFPE}}};

/// The exit code that a shell would have for the end of a task that WORDS of srun describe.
std::optional<int> code_by_srun(std::string_view words) {
  constexpr std::string_view exited = "Exited with exit code ";
  if (words.starts_with(exited)) {
    const auto code = machine::to_count(words.substr(exited.size()));
    return code && *code <= 255 ? std::optional(static_cast<int>(*code)) : std::nullopt;
  }
  for (const SignalWords& each : signals_by_srun)
    if (words.starts_with(each.words)) return exit_signals + each.signal;
  return std::nullopt;
}

/// "srun: error: n5: task 1: Exited with exit code 139", or "tasks 0-1: Killed".
std::optional<RankEnd> end_by_srun(std::string_view line) {
  constexpr std::string_view task = ": task";
  const std::size_t at = line.find(task);
  if (!line.starts_with("srun: error: ") || at == std::string_view::npos) return std::nullopt;
  std::string_view tasks = line.substr(at + task.size());
  tasks.remove_prefix(std::min(tasks.find(' '), tasks.size() - 1) + 1);
  const std::size_t words = tasks.find(": ");
  if (words == std::string_view::npos) return std::nullopt;
  const auto rank = machine::to_count(tasks.substr(0, tasks.find_first_of(",-:")));
  const auto code = code_by_srun(tasks.substr(words + 2));
  if (!rank || !code) return std::nullopt;
  RankEnd end;
  end.rank = *rank;
  end.code = *code;
  end.perhaps_by_srun = tasks.substr(words + 2).starts_with("Killed");
  return end;
}

bool is_cause(const RankEnd& end) {
  return end.code != 0 && end.code != exit_lost_rank && !end.perhaps_by_srun;
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
  const bool has_cause =
      std::any_of(ends.begin(), ends.end(), is_cause) || std::any_of(by_srun.begin(), by_srun.end(), is_cause);
  for (const RankEnd& end : by_srun) {
    if (end.perhaps_by_srun && has_cause) continue;
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

/// PROGRAM as TASKS tasks of a step on NODES nodes of JOB, the first of which is node FIRST. Its words and further options are to be added.
process::Command step_of(const SrunJob& job, const process::Command& program, std::int64_t tasks, std::int64_t nodes,
                         std::int64_t first) {
  process::Command command = program;
  command.executable = job.srun;
  // Each task may use all CPUs of its node: as where torchgate starts them. No MPI library takes part.
  command.arguments = {fmt::format("--ntasks={}", tasks),
                       fmt::format("--nodes={}", nodes),
                       fmt::format("--relative={}", first),
                       "--distribution=block",
                       "--cpu-bind=none",
                       "--mpi=none",
                       "--export=ALL",
                       "--input=none"};
  if (program.time_limit) command.time_limit = *program.time_limit + step_patience;
  command.unset.insert(command.unset.end(), unset_for_srun.begin(), unset_for_srun.end());
  command.termination_grace = abort_patience;
  command.tail_bytes = srun_tail_bytes;
  return command;
}

void add(std::vector<std::string>& arguments, const std::vector<std::string>& words) {
  arguments.insert(arguments.end(), words.begin(), words.end());
}

}  // namespace

bool by_srun(RanksWith with, const OwnEnvironment& environment) {
  if (with != RanksWith::automatic) return with == RanksWith::srun;
  return own_variable(environment, "SLURM_JOB_ID") && !in_step(environment) &&
         (count_in(environment, "SLURM_NTASKS") > 1 || count_in(environment, "SLURM_JOB_NUM_NODES") > 1);
}

std::int64_t SrunJob::nodes_for(std::int64_t ranks) const {
  return std::min(nodes, ranks);
}

std::string SrunJob::name_of(std::int64_t node) const {
  const auto at = static_cast<std::size_t>(node);
  return at < names.size() ? names[at] : fmt::format("node {}", node + 1);
}

bool on_several_nodes(RanksWith with, const OwnEnvironment& environment) {
  return by_srun(with, environment) && count_in(environment, "SLURM_JOB_NUM_NODES") > 1;
}

base::Result<SrunJob> srun_job(const OwnEnvironment& environment) {
  if (!own_variable(environment, "SLURM_JOB_ID"))
    return not_by_srun(
        "this is not a job of Slurm (SLURM_JOB_ID is not set); submit it with sbatch, or let torchgate start them "
        "(--ranks-with torchgate)");
  if (in_step(environment))
    return not_by_srun(
        "torchgate itself runs in a step of Slurm; start it in the script of the job, without srun, or let torchgate "
        "start them (--ranks-with torchgate)");
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
  if (job.nodes == 1) return job;
  job.address = address_of(*name);
  auto names = names_of(own_variable(environment, "SLURM_JOB_NODELIST").value_or(""));
  if (names.size() == static_cast<std::size_t>(job.nodes)) job.names = std::move(names);
  return job;
}

process::Command srun_command(const SrunJob& job, const process::Command& suite, std::int64_t ranks, int port,
                              std::optional<int> cpu) {
  const std::int64_t nodes = job.nodes_for(ranks);
  process::Command command = step_of(job, suite, ranks, nodes, 0);
  // More ranks than CPUs are allowed.
  add(command.arguments, {"--overcommit", "--kill-on-bad-exit=1", "/bin/sh", "-c", rank_script, "torchgate-rank"});
  if (suite.time_limit) {
    const double seconds = std::chrono::duration<double>(*suite.time_limit).count();
    add(command.arguments, {"timeout", "--foreground", "--kill-after=1", fmt::format("{:.3f}", seconds)});
  }
  command.arguments.push_back(std::filesystem::absolute(suite.executable).string());
  add(command.arguments, suite.arguments);
  command.environment = merged_environment(suite.environment, {{"WORLD_SIZE", std::to_string(ranks)},
                                                               {"MASTER_ADDR", nodes > 1 ? job.address : "127.0.0.1"},
                                                               {"MASTER_PORT", std::to_string(port)}});
  if (cpu) command.environment.push_back({"TORCHGATE_RANK_CPU", std::to_string(*cpu)});
  if (ranks % nodes == 0)
    command.environment.push_back({"LOCAL_WORLD_SIZE", std::to_string(ranks / nodes)});
  else
    command.unset.emplace_back("LOCAL_WORLD_SIZE");
  command.unset.emplace_back("TORCHELASTIC_USE_AGENT_STORE");
  return command;
}

process::Command srun_on_other_nodes(const SrunJob& job, const process::Command& program, std::size_t bytes) {
  const std::int64_t nodes = job.used - 1;
  process::Command command = step_of(job, program, nodes, nodes, 1);
  add(command.arguments, {"--ntasks-per-node=1", "--kill-on-bad-exit=0", "--label", program.executable.string()});
  add(command.arguments, program.arguments);
  command.unset.insert(command.unset.end(), of_one_task.begin(), of_one_task.end());
  command.tail_bytes = static_cast<std::size_t>(nodes) * bytes;
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
    if (answer.interrupted) return answer;
    answer.message = "srun: " + answer.message;
    return ends.empty() ? not_started(answer.message) : answer;  // no rank ran: nothing is known of the suite
  }
  const bool at_limit = command.time_limit && outcome.wall >= *command.time_limit;
  SuiteAnswer answer = answer_of_ranks(command, outcomes_of_ranks(outcome, ends, ranks, at_limit), file);
  for (const RankEnd& end : ends)
    if (end.node >= 0 && end.node < nodes) answer.cpu_beside[end.node] += end.cpu;
  return answer;
}

}  // namespace torchgate::launch
