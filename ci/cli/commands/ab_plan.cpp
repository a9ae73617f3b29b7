// SPDX-License-Identifier: Apache-2.0
// `ab --pair-plan`: measures what a screen suspects, and judges nothing: that is for a job that may not run the code.
#include <fmt/format.h>

#include <utility>

#include "baselines/open_store.hpp"
#include "baselines/store.hpp"
#include "ci/cli/commands/ab.hpp"
#include "ci/cli/progress.hpp"
#include "ci/gate/evidence/machines.hpp"
#include "ci/policy/since_pin.hpp"
#include "ci/workflow/baseline/baseline_of.hpp"
#include "ci/workflow/measure/shard_plan.hpp"
#include "ci/workflow/pairs/confirm.hpp"
#include "ci/workflow/workspace/workspace.hpp"
#include "harness/base/counted.hpp"
#include "harness/base/for_a_shell.hpp"
#include "harness/machine/facts.hpp"

namespace torchgate::cli {

namespace {

// By what a job cannot choose: the number of threads is in the variables that the suites get.
base::Result<void> check_machine_of(const record::Run& current) {
  for (const reports::Difference& fact :
       gate::machine_differences(current.machine, machine::collect_machine(machine::this_machine()))) {
    if (fact.name != "architecture" && fact.name != "cpu_model") continue;
    return base::Error{base::ErrorCode::no_verdict,
                       fmt::format("run {} was measured on another machine ({} \"{}\", here \"{}\"); measure the pairs "
                                   "in the job of the run, or on machines of one kind",
                                   current.id, fact.name, fact.before, fact.after)};
  }
  return {};
}

// As the job that judges them will judge: by pairs alone where the baseline is of a pin, or of another machine. What builds the
// baseline's commit where the policy does not say so is for this job alone.
policy::Policy policy_of_pairs(const workflow::PairPlanFile& plan, const AbCommand& command,
                               const record::Run& baseline, const record::Run& current, const policy::Policy& project) {
  policy::Policy policy = plan.since ? policy::since_pin(project) : project;
  const bool another_host = baseline.machine.host_key != current.machine.host_key;
  if (!plan.since && another_host) policy = policy::pairs_alone(std::move(policy));
  if (policy.build.empty() && command.build) {
    policy.build = *command.build;
    if (policy.build_suites.empty()) policy.build_suites = command.suites;
  }
  return policy;
}

base::Result<workflow::PairShard> shard_of(const AbCommand& command) {
  if (!command.shard) return workflow::PairShard{};
  const auto shard = workflow::parse_shard(*command.shard);
  if (!shard) return shard.error();
  return workflow::PairShard{shard->first, shard->second};
}

// Pairs of all cases are judged as they are, those of a shard with the others.
std::string what_is_next(const workflow::PairPlanFile& plan, const workflow::PairShard& shard,
                         const std::string& path) {
  if (shard.shards > 1)
    return fmt::format("shard {} of {}; `torchgate merge` makes one run of all shards", shard.shard, shard.shards);
  const std::string since = plan.since ? " " + base::option_for_a_shell("--since", *plan.since) : "";
  return fmt::format("`torchgate gate RUN{} {}` judges them", since, base::option_for_a_shell("--pairs-from", path));
}

}  // namespace

ExitCode ab_plan_command(const AbCommand& command, const policy::Policy& policy, const Console& console) {
  if (!command.before.empty() || !command.after.empty())
    return console.fail({base::ErrorCode::bad_input, "--pair-plan names both sides; remove --before and --after"});
  const auto plan = workflow::load_pair_plan(*command.plan);
  if (!plan) return console.fail(plan.error());
  const auto shard = shard_of(command);
  if (!shard) return console.fail(shard.error());
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
  // Before minutes of work: pairs of another machine than the run's are not judged with it.
  if (const auto same = check_machine_of(*current); !same) return console.fail(same.error());
  ConsoleNarrator narrator(console);
  const auto keep = [&](record::Run& run) { return workspace.save(run, command.save); };
  auto pairs =
      workflow::measure_suspects(*plan, *baseline, *current, objects, {workspace, command.run_recorded_files},
                                 policy_of_pairs(*plan, command, *baseline, *current, policy), keep, narrator, *shard);
  if (!pairs) return console.fail(pairs.error());
  const auto path = keep(pairs->run);
  if (!path) return console.fail(path.error());
  for (const std::string& warning : pairs->run.warnings) console.warn(warning);
  console.out << fmt::format("{}: pairs of {}; {}\n", path->string(),
                             base::counted(pairs->run.cases.size(), "case", "cases"),
                             what_is_next(*plan, *shard, path->string()));
  return pairs->run.interrupted ? ExitCode::interrupted : ExitCode::ok;
}

}  // namespace torchgate::cli
