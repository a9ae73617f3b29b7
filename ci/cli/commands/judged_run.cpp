// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/commands/judged_run.hpp"

#include <fmt/format.h>

#include "ci/cli/present.hpp"
#include "ci/git/remote.hpp"
#include "ci/workflow/measure/measuring.hpp"
#include "ci/workflow/pairs/identical_pairs.hpp"
#include "ci/workflow/pairs/pair_plan_file.hpp"
#include "ci/workflow/site/report_histories.hpp"
#include "ci/workflow/workspace/ci_pull_request.hpp"
#include "harness/import/import.hpp"
#include "harness/record/short_commit.hpp"

namespace torchgate::cli {
namespace {

// Where measuring HEAD failed or was forgotten, the newest run answers for another commit. One of a modified tree may be what was committed since.
base::Result<void> check_commit_of_newest(const record::Run& run) {
  const record::Source& measured = run.sides.front().source;
  const record::Source here = workflow::source_here();
  if (!measured.commit || !here.commit || measured.commit == here.commit || measured.modified == true) return {};
  return base::Error{
      base::ErrorCode::bad_input,
      fmt::format("the newest run, {}, is of commit {}, and this checkout is of {}; measure this commit (`torchgate "
                  "run`), or name the run that is to be judged: `torchgate gate {}`",
                  run.id, record::short_commit(*measured.commit), record::short_commit(*here.commit), run.id)};
}

}  // namespace

base::Result<record::Run> judged_run(const GateCommand& command, const workflow::Workspace& workspace) {
  auto run = command.run ? workspace.load(*command.run) : workspace.newest();
  if (run && !command.run && !command.commit) {
    if (auto here = check_commit_of_newest(*run); !here) return here.error();
  }
  if (!run || !command.commit || run->sides.front().source.commit == *command.commit) return run;
  return base::Error{base::ErrorCode::bad_input,
                     fmt::format("run {}: of commit {}, expected {} (--commit); measure that commit", run->id,
                                 run->sides.front().source.commit.value_or("(unknown)"), *command.commit)};
}

base::Result<workflow::BaselineChoice> baseline_choice(const GateCommand& command) {
  workflow::BaselineChoice choice;
  choice.skip_own_commit = command.skip_own_commit || workflow::is_push(git::environment_variable);
  if (!command.baseline_of) return choice;
  const auto plan = workflow::load_pair_plan(*command.baseline_of);
  if (!plan) return plan.error().within("--baseline-of");
  choice.planned = plan->baseline_runs();
  return choice;
}

ExitCode present_judged(reports::Report report, const std::optional<record::Run>& pairs, const GateCommand& command,
                        const policy::Policy& policy, const Console& console) {
  if (pairs && !command.pairs_from) {
    if (const auto kept = workflow::remember_identical_pairs(*pairs, policy.alpha, report); !kept)
      console.warn(kept.error().message);
  }
  keep_for_accept(report, console);
  if (wants_page(command.show)) workflow::add_histories(report, policy.store, policy.margin);
  return present(report, command.show, console);
}

}  // namespace torchgate::cli
