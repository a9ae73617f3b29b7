// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/commands/commands.hpp"
#include "ci/cli/present.hpp"
#include "ci/gate/judge.hpp"
#include "ci/workflow/workspace.hpp"

namespace torchgate::cli {

ExitCode report_command(const ReportCommand& command, const policy::Policy& policy, const Console& console) {
  const workflow::Workspace workspace;
  const auto run = workspace.load(command.run);
  if (!run) return console.fail(run.error());
  if (!command.other) {
    const auto report = run->sides.size() == 2 ? gate::judge_paired(*run, policy) : gate::describe_run(*run, policy);
    if (!report) return console.fail(report.error());
    return present_as(*report, command.format, command.output, command.verbose, console);
  }
  const auto other = workspace.load(*command.other);
  if (!other) return console.fail(other.error());
  gate::StoredComparison comparison;
  comparison.baseline = {&*run};
  comparison.current = &*other;
  comparison.unconfirmed_because = "`torchgate report` measures nothing";
  const auto report = gate::judge_stored(comparison, policy);
  if (!report) return console.fail(report.error());
  return present_as(*report, command.format, command.output, command.verbose, console);
}

}  // namespace torchgate::cli
