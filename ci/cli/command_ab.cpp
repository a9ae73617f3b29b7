// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/commands.hpp"
#include "ci/cli/measuring.hpp"
#include "ci/cli/present.hpp"
#include "ci/cli/workspace.hpp"
#include "ci/gate/judge.hpp"
#include "ci/gate/vary.hpp"

namespace torchgate::cli {

ExitCode ab_command(const AbCommand& command, const gate::Policy& policy, const Console& console) {
  launch::Request pairs = request(command.measure, policy);
  const auto known = gate::check_vary(command.vary, machine::collect_machine(pairs.machine));
  if (!known) return console.fail(known.error());
  pairs.plan.processes = policy.pairs;
  // Two builds: where either came from is not known here.
  pairs.sides = {side("before", command.before, {}), side("after", command.after, {})};
  stop_when_decided(pairs, policy);
  auto run = measure(pairs, console);
  if (!run) return console.fail(run.error());
  if (const auto path = Workspace().save(*run, command.save); !path) return console.fail(path.error());
  gate::Policy varying = policy;
  varying.vary = command.vary;
  const auto report = gate::judge_paired(*run, varying);
  if (!report) return console.fail(report.error());
  return present(*report, command.show, console);
}

}  // namespace torchgate::cli
