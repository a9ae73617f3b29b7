// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/program.hpp"

#include <filesystem>
#include <variant>

#include "baselines/writer_lock.hpp"
#include "ci/cli/arguments.hpp"
#include "ci/cli/help_columns.hpp"
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

ExitCode run_program(const std::vector<std::string>& arguments, const Console& given) {
  const auto parsed = parse_arguments(arguments, help_width(given.width));
  if (const auto* message = std::get_if<Message>(&parsed)) return print(*message, given);
  const auto& chosen = std::get<Chosen>(parsed);
  Console console = given;
  if (chosen.color != ColorChoice::automatic) console.color = chosen.color == ColorChoice::always;
  if (const auto begun = chosen.beginning ? chosen.beginning() : base::Result<void>(); !begun)
    return console.fail(begun.error());
  // Help explains a broken policy file, too.
  if (chosen.row->settings == Settings::unread) return chosen.invocation({}, console);
  const auto policy = workflow::load_policy(chosen.policy);
  if (!policy) return console.fail(policy.error());
  if (chosen.row->trust == Trust::stored_runs || chosen.row->trust == Trust::verdict) {
    if (const auto checked = workflow::check_evidence_is_not_committed(policy->store); !checked)
      return console.fail(checked.error());
  }
  clean_up(*policy);
  baselines::set_lock_wait(
      {[&console](const std::string& sentence) { console.err << reports::one_line(sentence) << std::endl; },
       [] { return process::stop_requested(); }});
  const ExitCode code = chosen.invocation(*policy, console);
  baselines::set_lock_wait({});  // the console goes with its caller
  return code;
}

}  // namespace torchgate::cli
