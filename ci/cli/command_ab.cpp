// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "ci/cli/commands.hpp"
#include "ci/cli/measuring.hpp"
#include "ci/cli/present.hpp"
#include "ci/cli/unfinished.hpp"
#include "ci/cli/workspace.hpp"
#include "ci/gate/judge.hpp"
#include "ci/gate/vary.hpp"

namespace torchgate::cli {

ExitCode ab_command(const AbCommand& command, const gate::Policy& policy, const Console& console) {
  if (command.plan) return ab_plan_command(command, policy, console);
  const Workspace workspace;
  launch::Request pairs = request(command.measure, policy);
  const auto known = gate::check_vary(command.vary, machine::collect_machine(pairs.machine));
  if (!known) return console.fail(known.error());
  pairs.plan.processes = policy.pairs;
  if (command.resume) {
    auto unfinished = find_unfinished(workspace, *command.resume, 2);
    if (!unfinished) return console.fail(unfinished.error());
    pairs = launch::resumed(std::move(pairs), *unfinished);
  } else if (command.before.empty() || command.after.empty()) {
    return console.fail({record::ErrorCode::bad_input, "ab needs --before and --after, or --plan, or --resume"});
  } else {
    // Two builds: where either came from is not known here.
    pairs.sides = {side("before", command.before, {}), side("after", command.after, {})};
    offer_unfinished(workspace, 2, console);
  }
  stop_when_decided(pairs, policy);
  keep_as_it_goes(pairs, workspace, command.save);
  auto run = measure(pairs, console);
  if (!run) return console.fail(run.error());
  if (const auto path = save_finished(workspace, *run, save_name(pairs)); !path) return console.fail(path.error());
  gate::Policy varying = policy;
  varying.vary = command.vary;
  const auto report = gate::judge_paired(*run, varying);
  if (!report) return console.fail(report.error());
  return present(*report, command.show, console);
}

}  // namespace torchgate::cli
