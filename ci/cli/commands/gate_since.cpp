// SPDX-License-Identifier: Apache-2.0
// `gate --since NAME`: the change since a pinned commit, in interleaved pairs, on a schedule of its own.
#include <fmt/format.h>

#include <optional>
#include <utility>

#include "baselines/open_store.hpp"
#include "baselines/store.hpp"
#include "ci/cli/commands/commands.hpp"
#include "ci/cli/commands/judged_run.hpp"
#include "ci/cli/commands/stored_pairs.hpp"
#include "ci/cli/present.hpp"
#include "ci/gate/evidence/incomplete.hpp"
#include "ci/gate/judge_since.hpp"
#include "ci/gate/weaker_run.hpp"
#include "ci/policy/since_pin.hpp"
#include "ci/workflow/pins.hpp"
#include "ci/workflow/workspace.hpp"
#include "harness/base/atomic_file.hpp"
#include "harness/base/counted.hpp"

namespace torchgate::cli {

using base::ErrorCode;

namespace {

ExitCode hand_over(const GateCommand& command, const workflow::PairPlanFile& plan, gate::SinceComparison comparison,
                   const policy::Policy& policy, const Console& console) {
  if (auto written = base::write_file_atomically(*command.suspects, workflow::to_json(plan), true); !written)
    return console.fail(written.error());
  if (!plan.empty()) {
    comparison.unmeasured_because = "they are yet to be measured (" + *command.suspects + ")";
    comparison.pairs_planned = true;
  }
  const auto report = gate::judge_since(comparison, policy);
  if (!report) return console.fail(report.error());
  console.err << fmt::format("{}: {} to compare in pairs\n", *command.suspects,
                             base::counted(plan.confirms.open.size(), "case", "cases"));
  const ExitCode presented = present(*report, command.show, console);
  // No verdict yet is what was asked for. Of a run without its whole plan no pairs can make one.
  const bool can_pass = !plan.empty() && gate::incomplete_because(*comparison.current).empty();
  return presented == ExitCode::no_verdict && can_pass ? ExitCode::ok : presented;
}

base::Result<void> take_pairs(gate::SinceComparison& comparison, const workflow::PairPlanFile& plan,
                              const PairSource& source, const workflow::Workspace& workspace,
                              const policy::Policy& policy, const Console& console, std::optional<record::Run>& pairs) {
  gate::StoredComparison sides;
  sides.baseline = {comparison.pinned};
  sides.current = comparison.current;
  if (auto added = add_pairs(sides, plan, source, workspace, policy, console, pairs); !added) return added;
  comparison.pairs = sides.pairs;
  comparison.rebuilt = sides.rebuilt;
  comparison.unmeasured_because = sides.unconfirmed_because;
  return {};
}

}  // namespace

ExitCode gate_since_command(const GateCommand& command, const policy::Policy& project, const Console& console) {
  const policy::Policy policy = policy::since_pin(project);
  const workflow::Workspace workspace;
  const auto current = judged_run(command, workspace);
  if (!current) return console.fail(current.error());
  if (is_imported(*current))
    return console.fail({ErrorCode::bad_input,
                         "--since: imported runs cannot be measured again in pairs; measure "
                         "with `torchgate run`"});
  const auto store = baselines::open_store(policy.store, baselines::OpenMode::existing);
  if (!store) return console.fail(store.error());
  const auto pinned = workflow::pinned_run(**store, *command.since, *current);
  if (!pinned) return console.fail(pinned.error());

  gate::SinceComparison comparison;
  comparison.pin = {pinned->pin.name, pinned->pin.commit, pinned->run.created};
  comparison.pinned = &pinned->run;
  comparison.current = &*current;
  comparison.judge_unchanged = command.measure_unchanged;
  comparison.notes = pinned->notes;
  auto cases = gate::cases_since(comparison);
  if (!cases) return console.fail(cases.error());
  workflow::PairPlanFile plan =
      workflow::make_pair_plan(*std::move(cases), pinned->run, *current, command.seed, policy);
  plan.since = pinned->pin.name;
  if (command.suspects) return hand_over(command, plan, comparison, policy, console);
  std::optional<record::Run> pairs;
  if (!plan.empty()) {
    const PairSource source{command.pairs_from, store->get(), command.run_recorded_files};
    if (auto taken = take_pairs(comparison, plan, source, workspace, policy, console, pairs); !taken)
      return console.fail(taken.error());
  }
  auto report = gate::judge_since(comparison, policy);
  if (!report) return console.fail(report.error());
  gate::judge_how_measured(*current, {&pinned->run}, policy, *report);
  return present_judged(*std::move(report), pairs, command, policy, console);
}

}  // namespace torchgate::cli
