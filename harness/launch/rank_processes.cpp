// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/rank_processes.hpp"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "harness/machine/facts.hpp"
#include "harness/process/free_port.hpp"

namespace torchgate::launch {
namespace {

/// Smaller is nearer to the cause.
int distance_from_cause(const process::Outcome& outcome) {
  switch (outcome.ending) {
    case process::Ending::not_started:
      return 0;
    case process::Ending::signalled:
      return 1;
    case process::Ending::exited:
      if (outcome.exit_code == 0) return 6;
      return outcome.exit_code == exit_lost_rank ? 4 : 2;
    case process::Ending::timed_out:
      return 3;
    case process::Ending::abandoned:
    case process::Ending::interrupted:
      return 5;
  }
  return 6;
}

/// The rank whose ending is nearest to the cause; among equal ones, the first that ended.
std::size_t telling_rank(const std::vector<process::Outcome>& outcomes) {
  const auto key = [](const process::Outcome& outcome) {
    return std::pair(distance_from_cause(outcome), outcome.ended);
  };
  const auto it =
      std::min_element(outcomes.begin(), outcomes.end(),
                       [&](const process::Outcome& a, const process::Outcome& b) { return key(a) < key(b); });
  const bool all_well = it->ending == process::Ending::exited && it->exit_code == 0;
  return all_well ? 0 : static_cast<std::size_t>(it - outcomes.begin());
}

record::ProcessUsage added(const std::optional<record::ProcessUsage>& sum, const record::ProcessUsage& more) {
  if (!sum) return more;
  return {sum->minor_faults + more.minor_faults, sum->major_faults + more.major_faults,
          sum->voluntary_switches + more.voluntary_switches, sum->involuntary_switches + more.involuntary_switches};
}

/// The outcome of the telling rank with the resources used by all ranks.
process::Outcome with_totals(const std::vector<process::Outcome>& all, std::size_t telling) {
  process::Outcome outcome = all[telling];
  outcome.cpu = std::chrono::nanoseconds(0);
  for (const process::Outcome& each : all) {
    outcome.cpu += each.cpu;
    outcome.wall = std::max(outcome.wall, each.wall);
    if (&each != &all[telling] && each.usage) outcome.usage = added(outcome.usage, *each.usage);
    if (each.peak_resident_bytes)
      outcome.peak_resident_bytes = std::max(outcome.peak_resident_bytes.value_or(0), *each.peak_resident_bytes);
  }
  return outcome;
}

}  // namespace

std::optional<int> shared_rank_cpu(std::int64_t ranks, const std::vector<int>& cpus) {
  constexpr std::int64_t threads_of_a_rank = 3;
  if (cpus.empty() || static_cast<std::int64_t>(cpus.size()) >= ranks * threads_of_a_rank) return std::nullopt;
  return cpus.back();  // the first one has most of the system's interrupts
}

std::vector<process::Command> rank_commands(const process::Command& command, std::int64_t ranks, int port,
                                            std::optional<int> cpu) {
  std::vector<process::Command> commands;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    commands.push_back(command);
    commands.back().environment = merged_environment(command.environment, {{"RANK", std::to_string(rank)},
                                                                           {"LOCAL_RANK", std::to_string(rank)},
                                                                           {"WORLD_SIZE", std::to_string(ranks)},
                                                                           {"LOCAL_WORLD_SIZE", std::to_string(ranks)},
                                                                           {"MASTER_ADDR", "127.0.0.1"},
                                                                           {"MASTER_PORT", std::to_string(port)}});
    if (cpu) commands.back().environment.push_back({"TORCHGATE_RANK_CPU", std::to_string(*cpu)});
    // Would refer to the port of another job (harness/bench/ranks/world_environment.hpp).
    commands.back().unset.emplace_back("TORCHELASTIC_USE_AGENT_STORE");
  }
  return commands;
}

base::Result<int> port_for_ranks() {
  if (const auto port = process::free_port()) return *port;
  return base::Error{base::ErrorCode::io,
                     "no free port on 127.0.0.1 for its ranks: " + std::generic_category().message(errno)};
}

SuiteAnswer answer_of_ranks(const process::Command& command, const std::vector<process::Outcome>& outcomes,
                            const ReportFile& file) {
  const std::size_t rank = telling_rank(outcomes);
  SuiteAnswer answer = answer_of(command, with_totals(outcomes, rank), file);
  answer.interrupted = std::any_of(outcomes.begin(), outcomes.end(), [](const process::Outcome& each) {
    return each.ending == process::Ending::interrupted;
  });
  if (answer.status != record::ProcessStatus::ok)
    answer.message = "rank " + std::to_string(rank) + ": " + answer.message;
  return answer;
}

SuiteAnswer ask_ranks(const process::Command& command, std::int64_t ranks, const std::filesystem::path& report_file,
                      std::chrono::milliseconds patience) {
  if (ranks <= 1) return ask_suite(command, report_file);
  const ReportFile file(report_file);
  const auto port = port_for_ranks();
  if (!port) return not_started(port.error().message);
  const std::vector<process::Command> commands =
      rank_commands(command, ranks, *port, shared_rank_cpu(ranks, machine::affinity()));
  return answer_of_ranks(command, process::run_together(commands, patience), file);
}

}  // namespace torchgate::launch
