// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/commands/ab.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "ci/cli/command_table.hpp"
#include "ci/cli/commands/ab_libtorch.hpp"
#include "ci/cli/present.hpp"
#include "ci/cli/progress.hpp"
#include "ci/cli/shared_options.hpp"
#include "ci/gate/judge.hpp"
#include "ci/gate/pairs/pair_count.hpp"
#include "ci/policy/pairs_budget.hpp"
#include "ci/workflow/build/libtorch_builds.hpp"
#include "ci/workflow/measure/measuring.hpp"
#include "ci/workflow/pairs/ab_sides.hpp"
#include "ci/workflow/pairs/follow_up.hpp"
#include "ci/workflow/pairs/identical_pairs.hpp"
#include "ci/workflow/site/report_histories.hpp"
#include "ci/workflow/workspace/build_folder.hpp"
#include "ci/workflow/workspace/recorded_files.hpp"
#include "ci/workflow/workspace/unfinished.hpp"
#include "ci/workflow/workspace/workspace.hpp"
#include "harness/process/interrupt.hpp"

namespace torchgate::cli {
namespace {

// What was built from a commit went with its work tree.
std::optional<base::Error> gone_with_its_work_tree(const launch::Request& pairs) {
  for (const launch::SideRequest& side : pairs.sides) {
    for (const std::filesystem::path& suite : side.suites) {
      std::error_code ignored;
      if (!workflow::is_in_work_tree(suite) || std::filesystem::exists(suite, ignored)) continue;
      return base::Error{base::ErrorCode::bad_input,
                         "side '" + side.label + "' was built from a commit whose work tree is missing (" +
                             suite.string() + "), so these pairs cannot be resumed; start `torchgate ab` again"};
    }
  }
  return std::nullopt;
}

// How many verdicts share the risk is known only when the suites have said what they have.
void raise_to_an_answer(launch::Request& pairs, const policy::Policy& policy, const Console& console) {
  pairs.fewest_processes = [&policy, &console](const record::Run& planned) {
    const gate::FewestPairs needed = gate::fewest_pairs(planned, policy);
    if (policy.pairs < needed.pairs) console.warn(gate::raised_pairs(policy.pairs, needed));
    return needed.pairs;
  };
}

base::Result<workflow::AbSides> sides_of(const AbCommand& command, const Varied& varied, const policy::Policy& policy,
                                         workflow::Narrator& narrator) {
  if (varied.roots) {
    auto built = workflow::build_against(*varied.roots, {command.build, command.suites}, narrator);
    if (!built) return built.error();
    workflow::AbSides sides;
    sides.sides = *std::move(built);
    return sides;
  }
  if (command.before.empty() || command.after.empty())
    return base::Error{base::ErrorCode::bad_input,
                       "ab needs --before and --after, or --vary libtorch=VERSION, or --pair-plan, or --resume"};
  return workflow::prepare_sides({command.before, command.after, command.build, command.suites}, policy, narrator);
}

// An upgrade report informs: it did what it was asked to also where too little was decided for a pass.
ExitCode informing(ExitCode shown, const reports::Report& report) {
  return shown == ExitCode::no_verdict && report.too_few_decided ? ExitCode::ok : shown;
}

ExitCode ab_command(const AbCommand& command, const policy::Policy& policy, const Console& console) {
  if (auto valid = workflow::check_save_name(command.save); !valid) return console.fail(valid.error());
  if (command.plan) return ab_plan_command(command, policy, console);
  if (command.run_recorded_files && !command.resume)
    return console.fail({base::ErrorCode::bad_input, "--run-recorded-files needs --pair-plan or --resume"});
  if (auto usable = check_show_flags<reports::Report>(command.show); !usable) return console.fail(usable.error());
  const workflow::Workspace workspace;
  ConsoleNarrator narrator(console);
  launch::Request pairs = workflow::request(command.measure, policy);
  const bool builds_named = !command.before.empty() || !command.after.empty();
  const auto varied = varied_of(command.vary, builds_named, machine::collect_machine(pairs.machine));
  if (!varied) return console.fail(varied.error());
  pairs.plan.processes = policy.pairs;
  if (command.budget) {
    const auto budget = policy::parse_budget(*command.budget);
    if (!budget) return console.fail(budget.error());
    pairs.plan.budget_s = policy::seconds_for_pairs(budget->seconds, policy.count_undecided);
    pairs.plan.budget_pairs = budget->pairs;
  }
  // Before the first work tree, and until the last one is gone: Ctrl-C asks to stop, and leaves time to clean up.
  const process::InterruptScope interruptible;
  std::optional<workflow::AbSides> sides;
  if (command.resume) {
    auto unfinished = workflow::find_unfinished(workspace, *command.resume, 2);
    if (!unfinished) return console.fail(unfinished.error());
    pairs = launch::resumed(std::move(pairs), *unfinished);
    if (const auto gone = gone_with_its_work_tree(pairs)) return console.fail(*gone);
    const workflow::RecordedFiles files(workspace, command.run_recorded_files);
    if (auto ours = files.check_resumed(**unfinished); !ours) return console.fail(ours.error());
  } else {
    auto prepared = sides_of(command, *varied, policy, narrator);
    if (!prepared) return console.fail(prepared.error());
    sides.emplace(std::move(prepared).value());
    pairs.sides = sides->sides;
    workflow::remember_suites(pairs, narrator);
    workflow::offer_unfinished(workspace, 2, narrator);
  }
  record_varied(*varied, command.resume.has_value(), pairs.plan);
  if (command.gated) pairs.plan.informs = false;
  raise_to_an_answer(pairs, policy, console);
  if (!command.every_pair) workflow::choose_by(gate::PairRounds(policy), pairs);
  workflow::keep_as_it_goes(pairs, workspace, command.save);
  auto run = workflow::measure(pairs, narrator);
  if (!run) return console.fail(run.error());
  workflow::follow_up(pairs, policy, *run, narrator);
  if (const auto path = workflow::save_finished(workspace, *run, workflow::save_name(pairs)); !path)
    return console.fail(path.error());
  // Their work trees go with this process, so that `--resume` would offer what it cannot do.
  if (run->interrupted && goes_with_its_work_tree(*run)) launch::discard_journal(workspace.runs(), run->id);
  auto report = report_as_planned(*run, {}, policy);
  if (!report) return console.fail(report.error());
  if (const auto kept = workflow::remember_identical_pairs(*run, policy.alpha, *report); !kept)
    console.warn(kept.error().message);
  keep_for_accept(*report, console);
  if (wants_page(command.show)) workflow::add_histories(*report, policy.store, policy.margin);
  ExitCode shown = present(*report, command.show, console);
  if (run->plan.informs) shown = informing(shown, *report);
  return run->interrupted && shown != ExitCode::error ? ExitCode::interrupted : shown;
}

}  // namespace

Invocation define_ab(Options& options) {
  const auto command = std::make_shared<AbCommand>();
  options.add("--before PATH|COMMIT", &command->before,
              "Old side: a suite, a folder of suites (repeatable), or a commit");
  options.add("--after PATH|COMMIT", &command->after, "New side; an existing path wins over a commit of the same name");
  options.add("--build CMD", &command->build,
              "Shell command that builds a commit, run in a temporary work tree below .torchgate; {dir} is its path, "
              "quoted for the shell; submodules are not fetched. With --vary libtorch=...: builds this folder into "
              "{dir}, with LibTorch in "
              "TORCHGATE_TORCH_ROOT and CMAKE_PREFIX_PATH");
  options.add("--suites PATH", &command->suites,
              "The built suites, relative to the work tree or {dir} (repeatable; default: run.suites; with --vary "
              "libtorch=...: required but in a checkout of torchgate)");
  options.add("--budget BUDGET", &command->budget,
              "Start no pair after this time (90s, 5m, 1h30m; without building), or after this many pairs in total "
              "(\"24 pairs\"); undecided cases are inconclusive");
  Option plan = options.add("--pair-plan FILE", &command->plan,
                            "Measure the pairs listed by `torchgate gate --pair-plan FILE`, without a verdict");
  options.renamed("--plan", "--pair-plan FILE");
  options
      .add("--shard I/N", &command->shard,
           "With --pair-plan: measure the pairs of shard I of N (from 1), whole groups; make one run of all N with "
           "`torchgate merge`")
      .needs("--pair-plan");
  store_option(options, "With --pair-plan: the baseline store");
  Option resume = resume_option(options, command->resume, "Resume interrupted or killed pairs");
  recorded_files_option(options, command->run_recorded_files, "With --pair-plan or --resume: ");
  options.add("--every-pair", &command->every_pair, "Measure all pairs even after the verdict is clear (for studies)");
  vary_option(options, command->vary,
              "; libtorch=VERSION_OR_DIR builds this folder against it and the current one (given twice: before and "
              "after) and says what the upgrade does: slower cases fail only with --gate");
  measure_options(options, command->measure);
  sampling_options(options, command->measure);
  options.key("--pairs N", "gate.pairs",
              "Maximum number of pairs per group (default 48); a group stops when its cases are decided");
  options.add("--save NAME", &command->save, "Save the pairs under this name");
  limit_options(options);
  judging_options(options, [command] {
    command->gated = true;
    return "gate.latency";
  });
  policy_from_option(options);
  waivers_option(options);
  show_report_options(options, command->show, [command] {
    std::vector<std::string> sides = command->before;
    sides.insert(sides.end(), command->after.begin(), command->after.end());
    return sides;
  });
  // Both have their sides and cases already; pairs of a plan are not judged here.
  for (const char* const other : {"--budget", "--filter", "--quick", "--full", "--seed", "--warmup", "--samples"}) {
    plan.excludes(other);
    resume.excludes(other);
  }
  for (const char* const other : {"--before", "--after", "--build", "--suites"}) resume.excludes(other);
  for (const char* const other : {"--resume", "--every-pair", "--vary", "--instructions", "--format", "--write",
                                  "--json", "--markdown", "--html", "--quiet", "--verbose"})
    plan.excludes(other);
  return invocation(command, ab_command);
}

}  // namespace torchgate::cli
