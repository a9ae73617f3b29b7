// SPDX-License-Identifier: Apache-2.0
// `ab --pair-plan`: measures what a screen suspects, and judges nothing: that is for a job that may not run the code.
#include <fmt/format.h>

#include "baselines/open_store.hpp"
#include "baselines/store.hpp"
#include "ci/cli/commands/commands.hpp"
#include "ci/cli/progress.hpp"
#include "ci/policy/since_pin.hpp"
#include "ci/workflow/baseline_of.hpp"
#include "ci/workflow/confirm.hpp"
#include "ci/workflow/workspace.hpp"
#include "harness/base/counted.hpp"

namespace torchgate::cli {

ExitCode ab_plan_command(const AbCommand& command, const policy::Policy& policy, const Console& console) {
  if (!command.before.empty() || !command.after.empty())
    return console.fail({base::ErrorCode::bad_input, "--pair-plan names both sides; remove --before and --after"});
  const auto plan = workflow::load_pair_plan(*command.plan);
  if (!plan) return console.fail(plan.error());
  if (plan->empty()) {
    console.out << fmt::format("{}: nothing to confirm\n", *command.plan);
    return ExitCode::ok;
  }
  const workflow::Workspace workspace;
  const auto store = baselines::open_store(policy.store, baselines::OpenMode::existing);
  const baselines::Store* objects = store ? store->get() : nullptr;
  const auto baseline = workflow::load_anywhere(plan->confirms.baseline, workspace, objects);
  if (!baseline) return console.fail(baseline.error().within("the baseline of " + *command.plan));
  const auto current = workflow::load_anywhere(plan->confirms.run, workspace, objects);
  if (!current) return console.fail(current.error().within("the run of " + *command.plan));
  ConsoleNarrator narrator(console);
  const auto keep = [&](record::Run& run) { return workspace.save(run, command.save); };
  auto pairs = workflow::measure_suspects(*plan, *baseline, *current, objects, {workspace, command.run_recorded_files},
                                          plan->since ? policy::since_pin(policy) : policy, keep, narrator);
  if (!pairs) return console.fail(pairs.error());
  const auto path = keep(pairs->run);
  if (!path) return console.fail(path.error());
  for (const std::string& warning : pairs->run.warnings) console.warn(warning);
  const std::string since = plan->since ? fmt::format(" --since {}", *plan->since) : "";
  console.out << fmt::format("{}: pairs of {}; `torchgate gate RUN{} --pairs-from {}` judges them\n", path->string(),
                             base::counted(plan->all_cases().size(), "case", "cases"), since, path->string());
  return pairs->run.interrupted ? ExitCode::interrupted : ExitCode::ok;
}

}  // namespace torchgate::cli
