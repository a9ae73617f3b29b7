// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/program.hpp"

#include <filesystem>

#include "baselines/writer_lock.hpp"
#include "ci/cli/arguments.hpp"
#include "ci/cli/commands/commands.hpp"
#include "ci/workflow/workspace/own_evidence.hpp"
#include "ci/workflow/workspace/policy_source.hpp"
#include "ci/workflow/workspace/workspace.hpp"
#include "harness/base/abandoned_files.hpp"
#include "harness/process/interrupt.hpp"
#include "harness/process/temporary_folder.hpp"
#include "reports/safe_text.hpp"

namespace torchgate::cli {
namespace {

ExitCode print(const Message& message, const Console& console) {
  (message.is_error ? console.err : console.out) << message.text;
  return message.is_error ? ExitCode::error : ExitCode::ok;
}

// A row for each command.
struct Dispatch {
  const policy::Policy& policy;
  const Console& console;

  ExitCode operator()(const Message& message) const { return print(message, console); }
  ExitCode operator()(const RunCommand& command) const { return run_command(command, policy, console); }
  ExitCode operator()(const CompareCommand& command) const { return compare_command(command, policy, console); }
  ExitCode operator()(const GateCommand& command) const { return gate_command(command, policy, console); }
  ExitCode operator()(const AbCommand& command) const { return ab_command(command, policy, console); }
  ExitCode operator()(const AcceptCommand& command) const { return accept_command(command, policy, console); }
  ExitCode operator()(const BaselineCommand& command) const { return baseline_command(command, policy, console); }
  ExitCode operator()(const CalibrateCommand& command) const { return calibrate_command(command, policy, console); }
  ExitCode operator()(const CommentCommand& command) const { return comment_command(command, console); }
  ExitCode operator()(const TriageCommand& command) const { return triage_command(command, policy, console); }
  ExitCode operator()(const ImportCommand& command) const { return import_command(command, policy, console); }
  ExitCode operator()(const MergeCommand& command) const { return merge_command(command, console); }
  ExitCode operator()(const UnpackCommand& command) const { return unpack_command(command, console); }
  ExitCode operator()(const PerfCommand& command) const { return perf_command(command, console); }
  ExitCode operator()(const ReportCommand& command) const { return report_command(command, policy, console); }
  ExitCode operator()(const AdviseCommand& command) const { return advise_command(command, policy, console); }
  ExitCode operator()(const DoctorCommand& command) const { return doctor_command(command, policy, console); }
  ExitCode operator()(const HistoryCommand& command) const { return history_command(command, policy, console); }
  ExitCode operator()(const ExplainCommand& command) const { return explain_command(command, policy, console); }
};

// Its verdict depends on the policy, or how much is measured for it, so a pull request must not bring its own.
bool judges(const Command& command) {
  // Nor its own data branch, or store: both have the runs that it is judged against.
  const auto* baseline = std::get_if<BaselineCommand>(&command);
  if (baseline != nullptr) return std::holds_alternative<BaselinePull>(*baseline);
  return std::holds_alternative<GateCommand>(command) || std::holds_alternative<CompareCommand>(command) ||
         std::holds_alternative<AbCommand>(command) || std::holds_alternative<RunCommand>(command);
}

bool reads_evidence(const Command& command) {
  const auto* run = std::get_if<RunCommand>(&command);
  return (judges(command) && run == nullptr) || std::holds_alternative<BaselineCommand>(command) ||
         std::holds_alternative<CalibrateCommand>(command) || std::holds_alternative<HistoryCommand>(command) ||
         (run != nullptr && (run->resume || run->skip_unchanged));
}

// What earlier programs left that were killed while they wrote: runs, reports and waivers. A store cleans up when it is opened.
void clean_up(const policy::Policy& policy) {
  workflow::Workspace().remove_abandoned();
  process::TemporaryFolder::remove_abandoned();
  const std::filesystem::path here = ".";
  base::remove_abandoned_files(here);
  const std::filesystem::path waivers = std::filesystem::path(policy.waivers_file).parent_path();
  if (!waivers.empty() && waivers != here) base::remove_abandoned_files(waivers);
}

}  // namespace

ExitCode run_program(const std::vector<std::string>& arguments, const Console& console) {
  const Arguments parsed = parse_arguments(arguments);
  if (const auto* message = std::get_if<Message>(&parsed.command)) return print(*message, console);
  const auto policy =
      workflow::load_policy({parsed.policy_file, parsed.policy, parsed.policy_from, judges(parsed.command),
                             parsed.waiver_files, std::holds_alternative<RunCommand>(parsed.command)});
  if (!policy) return console.fail(policy.error());
  if (reads_evidence(parsed.command)) {
    if (const auto checked = workflow::check_evidence_is_not_committed(policy->store); !checked)
      return console.fail(checked.error());
  }
  clean_up(*policy);
  baselines::set_lock_wait(
      {[&console](const std::string& sentence) { console.err << reports::one_line(sentence) << std::endl; },
       [] { return process::stop_requested(); }});
  const ExitCode code = std::visit(Dispatch{*policy, console}, parsed.command);
  baselines::set_lock_wait({});  // the console goes with its caller
  return code;
}

}  // namespace torchgate::cli
