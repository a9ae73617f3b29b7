// SPDX-License-Identifier: Apache-2.0
#include "ci/advise/advise.hpp"

#include <fmt/format.h>

#include <memory>

#include "baselines/open_store.hpp"
#include "baselines/store.hpp"
#include "ci/cli/command_table.hpp"
#include "ci/cli/present.hpp"
#include "ci/cli/shared_options.hpp"
#include "ci/workflow/baseline/baseline_of.hpp"
#include "ci/workflow/workspace/workspace.hpp"

namespace torchgate::cli {
namespace {

struct AdviseCommand {
  std::optional<std::string> run;    ///< absent: the newest run or pairs in the workspace
  std::optional<double> fail_under;  ///< in per cent
  ShowFlags show;
};

base::Result<record::Run> run_for(const AdviseCommand& command, const policy::Policy& policy) {
  const workflow::Workspace workspace;
  if (!command.run) return workspace.newest_with_pairs();
  const auto store = baselines::open_store(policy.store, baselines::OpenMode::existing);
  return workflow::load_anywhere(*command.run, workspace, store ? store->get() : nullptr);
}

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
  if (!score || *score * percent < *command.fail_under) return ExitCode::failed;
  // What is not there may be what leaves a practice out.
  if (const std::string gaps = advice.gaps(); !gaps.empty())
    return console.fail(
        {base::ErrorCode::no_verdict,
         fmt::format(
             "run {}: --fail-under has no verdict, since the score is not that of all cases: {}; fix what failed "
             "and measure again",
             advice.run, gaps)});
  return ExitCode::ok;
}

}  // namespace

Invocation define_advise(Options& options) {
  const auto command = std::make_shared<AdviseCommand>();
  options.add("run", &command->run, "A run or pairs: name, file or id (default: the newest one)");
  store_option(options);
  options
      .add("--fail-under PERCENT", &command->fail_under,
           "Exit with 1 if the score is below this many per cent, or unknown; with 3 if it is not, but the run is "
           "incomplete or has cases without a result")
      .between(0.0, 100.0);
  show_options<reports::ModelAdvice>(options, command->show, "the result", "The same");
  keep_inputs(options, command->show, [command] {
    return command->run ? std::vector<std::string>{*command->run} : std::vector<std::string>();
  });
  return invocation(command, advise_command);
}

}  // namespace torchgate::cli
