// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/commands/commands.hpp"
#include "ci/cli/present.hpp"
#include "ci/gate/judge.hpp"
#include "ci/workflow/workspace.hpp"

namespace torchgate::cli {

namespace {

// The exit code says whether the report could be shown, not what it says.
ExitCode show_report(const reports::Report& report, const ReportCommand& command, const Console& console) {
  ShowFlags flags = command.show;
  if (command.output) {
    flags.write.push_back(flags.format + "=" + *command.output);
    flags.quiet = true;
  }
  const auto shown = show(report, flags, console);
  return shown ? ExitCode::ok : console.fail(shown.error());
}

}  // namespace

ExitCode report_command(const ReportCommand& command, const policy::Policy& policy, const Console& console) {
  if (auto usable = check_show_flags<reports::Report>(command.show); !usable) return console.fail(usable.error());
  const workflow::Workspace workspace;
  const auto run = workspace.load(command.run);
  if (!run) return console.fail(run.error());
  if (!command.other) {
    const auto report = run->sides.size() == 2 ? gate::judge_paired(*run, policy) : gate::describe_run(*run, policy);
    if (!report) return console.fail(report.error());
    return show_report(*report, command, console);
  }
  const auto other = workspace.load(*command.other);
  if (!other) return console.fail(other.error());
  gate::StoredComparison comparison;
  comparison.baseline = {&*run};
  comparison.current = &*other;
  comparison.unconfirmed_because = "`torchgate report` measures nothing";
  const auto report = gate::judge_stored(comparison, policy);
  if (!report) return console.fail(report.error());
  return show_report(*report, command, console);
}

}  // namespace torchgate::cli
