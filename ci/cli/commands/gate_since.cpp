// SPDX-License-Identifier: Apache-2.0
// `gate --since NAME`: the change since a pinned commit, in interleaved pairs, on a schedule of its own.
#include <array>
#include <utility>

#include "baselines/open_store.hpp"
#include "baselines/store.hpp"
#include "ci/cli/commands/gate_command.hpp"
#include "ci/cli/commands/judged_run.hpp"
#include "ci/cli/commands/pairs_alone.hpp"
#include "ci/policy/since_pin.hpp"
#include "ci/workflow/baseline/pinned_runs.hpp"
#include "ci/workflow/workspace/workspace.hpp"
#include "harness/import/programs.hpp"
#include "harness/record/imported.hpp"

namespace torchgate::cli {

using base::ErrorCode;

ExitCode gate_since_command(const GateCommand& command, const policy::Policy& project, const Console& console) {
  const policy::Policy policy = policy::since_pin(project, command.since);
  const workflow::Workspace workspace(policy);
  auto current = judged_run(command, workspace, policy);
  if (!current) return console.fail(current.error());
  if (record::is_imported(*current))
    return console.fail({ErrorCode::bad_input,
                         "--since: imported runs cannot be measured again in pairs; measure "
                         "with `torchgate run`"});
  const auto store = baselines::open_store(policy.store, baselines::OpenMode::existing);
  if (!store) return console.fail(store.error());
  auto pinned = workflow::pinned_run(**store, *command.since, *current);
  if (!pinned) return console.fail(pinned.error());

  import::align_names(std::array{&pinned->run, &*current});
  gate::Comparison comparison;
  comparison.pin = reports::SincePin{pinned->pin.name, pinned->pin.commit, pinned->run.created};
  comparison.baseline = {&pinned->run};
  comparison.current = &*current;
  comparison.judge_unchanged = command.measure_unchanged;
  comparison.notes = pinned->notes;
  doubt_newest(command, *current, policy, comparison.doubts);
  return judge_by_pairs_alone(std::move(comparison), **store, command, workspace, policy, console);
}

}  // namespace torchgate::cli
