// SPDX-License-Identifier: Apache-2.0
#include "ci/advise/advise.hpp"

#include "baselines/open_store.hpp"
#include "baselines/store.hpp"
#include "ci/cli/commands/commands.hpp"
#include "ci/cli/present.hpp"
#include "ci/workflow/baseline/baseline_of.hpp"
#include "ci/workflow/workspace/workspace.hpp"

namespace torchgate::cli {
namespace {

base::Result<record::Run> run_for(const AdviseCommand& command, const policy::Policy& policy) {
  const workflow::Workspace workspace;
  if (!command.run) return workspace.newest();
  const auto store = baselines::open_store(policy.store, baselines::OpenMode::existing);
  return workflow::load_anywhere(*command.run, workspace, store ? store->get() : nullptr);
}

}  // namespace

ExitCode advise_command(const AdviseCommand& command, const policy::Policy& policy, const Console& console) {
  if (auto usable = check_show_flags<reports::ModelAdvice>(command.show); !usable) return console.fail(usable.error());
  const auto run = run_for(command, policy);
  if (!run) return console.fail(run.error());
  const reports::ModelAdvice advice = advise::advise(*run);
  const auto shown = show(advice, command.show, console);
  if (!shown) return console.fail(shown.error());
  if (!command.fail_under) return ExitCode::ok;
  const auto score = advice.score();
  constexpr double percent = 100;
  return score && *score * percent >= *command.fail_under ? ExitCode::ok : ExitCode::failed;
}

}  // namespace torchgate::cli
