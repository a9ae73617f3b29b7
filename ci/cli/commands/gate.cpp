// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/commands/gate_command.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>
#include <vector>

#include "baselines/open_store.hpp"
#include "baselines/store.hpp"
#include "ci/cli/command_table.hpp"
#include "ci/cli/commands/judged_run.hpp"
#include "ci/cli/commands/pairs_alone.hpp"
#include "ci/cli/commands/stored_pairs.hpp"
#include "ci/cli/present.hpp"
#include "ci/cli/shared_options.hpp"
#include "ci/gate/evidence/fitness.hpp"
#include "ci/gate/judge.hpp"
#include "ci/gate/weaker_run.hpp"
#include "ci/policy/case_rules.hpp"
#include "ci/workflow/baseline/baseline_of.hpp"
#include "ci/workflow/baseline/calibrated.hpp"
#include "ci/workflow/workspace/spent_waivers.hpp"
#include "ci/workflow/workspace/workspace.hpp"
#include "harness/base/counted.hpp"
#include "harness/base/named_output.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/import/programs.hpp"
#include "harness/record/commit_name.hpp"
#include "harness/record/imported.hpp"
#include "stats/rules.hpp"

namespace torchgate::cli {

using base::ErrorCode;

namespace {

// The screen alone: what needs pairs goes into the plan's file, and fails nothing yet. The exit code is that of the rest: 1 and
// 3 only where no pairs can change it. The report has no verdict: as a pass, `comment` would make a successful check of it.
ExitCode hand_over(const GateCommand& command, const workflow::PairPlanFile& plan, gate::Comparison comparison,
                   const policy::Judging& policy, const Console& console) {
  if (auto written = base::write_output_file(*command.suspects, workflow::to_json(plan)); !written)
    return console.fail(written.error());
  policy::Judging waiting = policy;
  if (!plan.empty()) {
    waiting = policy::awaiting_pairs(policy);
    comparison.no_pairs_because = "its pairs are yet to be measured (" + *command.suspects + ")";
  }
  auto report = gate::judge_stored(comparison, waiting);
  if (!report) return console.fail(report.error());
  report->pairs_planned = !plan.empty();
  console.err << fmt::format("{}: {} to confirm in pairs\n", *command.suspects, plan.cases.size());
  if (!plan.confirms.open.empty())
    console.err << fmt::format("{}: {} to decide in pairs\n", *command.suspects,
                               base::counted(plan.confirms.open.size(), "open case", "open cases"));
  // What the screen left open is what the pairs are for.
  const bool waits = !plan.empty() && (report->outcome == reports::Outcome::pass || report->too_few_decided);
  if (waits && report->outcome == reports::Outcome::pass) {
    report->outcome = reports::Outcome::no_verdict;
    report->headline = "waiting for pairs: " + report->headline.words();
  }
  const ExitCode presented = present(*report, command.show, console);
  return waits && presented == ExitCode::no_verdict ? ExitCode::ok : presented;
}

// The newest stored runs of any machine: how the base branch is measured, where none of them is a baseline of this run.
std::vector<record::Run> newest_stored(const baselines::Store* store) {
  constexpr std::size_t most = 10;
  std::vector<record::Run> runs;
  runs.reserve(most);
  const auto entries = store == nullptr ? base::Result<std::vector<baselines::Entry>>(base::Error{}) : store->list({});
  if (!entries) return runs;
  for (auto entry = entries->rbegin(); entry != entries->rend() && runs.size() < most; ++entry)
    if (auto run = store->load(entry->id)) runs.push_back(*std::move(run));
  return runs;
}

std::vector<const record::Run*> addresses(const std::vector<record::Run>& runs) {
  std::vector<const record::Run*> all;
  all.reserve(runs.size());
  for (const record::Run& run : runs) all.push_back(&run);
  return all;
}

// Without a baseline nothing is judged, but CI still has a report to show: what was measured, and what to do.
ExitCode present_without_baseline(const record::Run& run, const base::Error& why, const GateCommand& command,
                                  const policy::Policy& policy, const baselines::Store* store, const Console& console) {
  auto report = gate::describe_run(run, policy);
  if (why.code != ErrorCode::no_verdict || !report) return console.fail(why);
  report->before.label = "no baseline";
  if (report->outcome == reports::Outcome::no_verdict) report->headline = "no baseline: " + why.message;
  const bool failed = report->outcome == reports::Outcome::fail;
  gate::judge_how_measured(run, addresses(newest_stored(store)), policy, *report);
  if (!failed && report->outcome == reports::Outcome::fail) console.warn(report->headline);
  ShowFlags files = command.show;
  files.quiet = files.quiet || !failed;
  const ExitCode presented = present(*report, files, console);
  const ExitCode told = console.fail(why);
  return presented == ExitCode::error || presented == ExitCode::failed ? presented : told;
}

// What the verdict rests on. Counts are not measured in pairs.
void say_the_way(const GateCommand& command, const workflow::PairPlanFile& plan, bool paired,
                 const policy::Gate& policy, gate::Comparison& comparison) {
  std::vector<std::string>& notes = comparison.notes;
  if (!command.no_pairs_from_start.empty())
    notes.insert(notes.begin(), "no pairs from the start: " + command.no_pairs_from_start);
  if (!stats::find_rule(policy.rule)->judges_pairs) return;
  // Pairs of a machine that is unfit decide nothing; why is said where they are left out.
  if (comparison.pairs != nullptr && gate::unfit_because({{comparison.pairs, "the pairs"}}, policy)) paired = false;
  std::string way = "judged against stored times";
  if (paired && !plan.cases.empty())
    way += fmt::format(", {} measured again in pairs", base::counted(plan.cases.size(), "suspect", "suspects"));
  if (paired && !plan.confirms.open.empty())
    way += fmt::format(", {} decided by pairs", base::counted(plan.confirms.open.size(), "open case", "open cases"));
  notes.insert(notes.begin(), way);
}

// In a flow of several jobs pairs are part of the verdict: a change that has to be confirmed does not pass because another job could not.
void require_pairs(reports::Report& report, const workflow::PairPlanFile& plan, const std::string& why) {
  if (report.outcome != reports::Outcome::pass && !report.too_few_decided) return;
  report.outcome = reports::Outcome::no_verdict;
  report.headline = fmt::format("pairs of {} are missing: {}; stored times alone show {}",
                                base::counted(plan.all_cases().size(), "case", "cases"), why, report.headline.words());
}

}  // namespace

ExitCode gate_command(const GateCommand& command, const policy::Policy& policy, const Console& console) {
  if (auto usable = check_show_flags<reports::Report>(command.show); !usable) return console.fail(usable.error());
  if (command.head && !record::is_commit_name(*command.head))
    return console.fail(
        {ErrorCode::bad_input, fmt::format("--head {}: not {}", base::shown(*command.head), record::commit_name_form)});
  if (command.measures() || command.save) return gate_now_command(command, policy, console);
  std::vector<std::string> named = command.against;
  if (command.run) named.push_back(*command.run);
  const bool measured_now = !command.no_pairs_from_start.empty();
  if (auto used = workflow::check_better(policy, named); !measured_now && !used) return console.fail(used.error());
  if (command.since) return gate_since_command(command, policy, console);
  const workflow::Workspace workspace(policy);
  auto current = judged_run(command, workspace, policy);
  if (!current) return console.fail(current.error());
  auto store = baselines::open_store(policy.store, baselines::OpenMode::existing);
  if (!store && command.against.empty())
    return present_without_baseline(*current, store.error(), command, policy, nullptr, console);
  const baselines::Store* objects = store ? store->get() : nullptr;
  const auto choice = baseline_choice(command);
  if (!choice) return console.fail(choice.error());
  if (command.against.empty() && workflow::is_planned_elsewhere(*objects, *current, *choice)) {
    const auto elsewhere = gate_on_another_host(*current, *choice, *objects, command, workspace, policy, console);
    if (elsewhere) return *elsewhere;
  }
  auto baseline = !command.against.empty() ? workflow::named_baseline(command.against, workspace, objects)
                                           : workflow::choose_baseline(*objects, *current, *choice);
  if (!baseline && baseline.error().code == ErrorCode::no_verdict && command.against.empty()) {
    const auto elsewhere = gate_on_another_host(*current, *choice, *objects, command, workspace, policy, console);
    if (elsewhere) return *elsewhere;
  }
  if (!baseline) return present_without_baseline(*current, baseline.error(), command, policy, objects, console);

  std::vector<record::Run*> compared{&*current};
  for (record::Run& run : baseline->runs) compared.push_back(&run);
  import::align_names(compared);
  gate::Comparison comparison;
  for (const record::Run& run : baseline->runs) comparison.baseline.push_back(&run);
  comparison.current = &*current;
  comparison.sides_named = !command.against.empty();
  comparison.common_only = command.common_only;
  comparison.notes = baseline->notes;
  comparison.doubts.assign(baseline->doubts.begin(), baseline->doubts.end());
  doubt_newest(command, *current, policy, comparison.doubts);
  comparison.judge_unchanged = command.measure_unchanged;
  const bool imported = record::is_imported(*current) || record::is_imported(baseline->runs.front());
  comparison.confirmable = policy.confirm != policy::Confirm::none && !imported;
  if (imported)
    comparison.no_pairs_because = "imported runs cannot be measured again in pairs";
  else if (policy.confirm == policy::Confirm::none)
    comparison.no_pairs_because = "the policy asks for no pairs (gate.confirm = \"none\")";
  if (auto used = workflow::use_calibration(comparison, objects, policy); !used) return console.fail(used.error());
  auto screened = gate::cases_for_pairs(comparison, policy);
  if (!screened) return console.fail(screened.error());

  workflow::PairPlanFile plan =
      workflow::make_pair_plan(*std::move(screened), baseline->runs.front(), *current, command.seed, policy);
  for (std::size_t i = 1; i < baseline->runs.size(); ++i) plan.confirms.pooled.push_back(baseline->runs[i].id);
  const policy::Policy judging = workflow::with_spent_waivers(policy, comparison.baseline, *current, command.head);
  if (command.suspects) return hand_over(command, plan, comparison, judging, console);
  std::optional<record::Run> pairs;
  // Not by the outcome so far: rule paired has none before its pairs.
  if (!plan.empty() && command.without_pairs) {
    comparison.no_pairs_because = *command.without_pairs;
    comparison.confirmable = false;
  } else if (!plan.empty() && (command.pairs_from || (!current->interrupted && !imported))) {
    const PairSource source{command.pairs_from, objects, command.run_recorded_files};
    if (auto added = add_pairs(comparison, plan, source, workspace, policy, console, pairs); !added)
      return console.fail(added.error());
  }
  say_the_way(command, plan, pairs.has_value(), policy, comparison);
  auto report = gate::judge_stored(comparison, judging);
  if (!report) return console.fail(report.error());
  if (!plan.empty() && !pairs && (command.without_pairs || command.pairs_from))
    require_pairs(*report, plan, comparison.no_pairs_because);
  gate::judge_how_measured(*current, comparison.baseline, policy, *report);
  return present_judged(*std::move(report), pairs, command, policy, console);
}

namespace {

// Pairs from the start, in the place of a run.
void from_start_options(Options& options, GateCommand& command) {
  options
      .add("--suite,--suite-dir PATH", &command.suites,
           "Measure this suite, or folder of suites, in pairs with the baseline's binaries from the start, without "
           "a run before (repeatable)")
      .excludes("run");
  options
      .add("--now", &command.now,
           "The same for run.suites of torchgate.toml; also implied by --filter, --quick, --full, "
           "--instructions, --warmup and --samples")
      .excludes("run");
  effort_options(options, command.measure);
  sampling_options(options, command.measure);
  options.add("--save NAME", &command.save, "Save what is measured under this name (replaces an existing one)")
      .excludes("run");
}

// In several jobs: the screen, the pairs and the verdict.
void pair_plan_options(Options& options, GateCommand& command) {
  options.add("--pair-plan FILE", &command.suspects,
              "Write the suspects to FILE instead of measuring them; run `torchgate ab --pair-plan FILE` in "
              "another job");
  options.renamed("--suspects", "--pair-plan FILE");
  options
      .add("--pairs-from FILE", &command.pairs_from,
           "Judge these pairs of `torchgate ab --pair-plan` instead of measuring; they are checked against the plan")
      .excludes("--pair-plan");
  options
      .add("--without-pairs REASON", &command.without_pairs,
           "Judge without pairs, for this reason: what needs them does not pass (exit code 3, or 1 where the "
           "screen alone fails)")
      .excludes("--pair-plan")
      .excludes("--pairs-from");
  options
      .add("--baseline-of FILE", &command.baseline_of,
           "Compare with the baseline of this pair plan, as long as its runs are stored for ancestors, although "
           "nearer ones were stored since")
      .excludes("--against");
}

}  // namespace

Invocation define_gate(Options& options) {
  const auto command = std::make_shared<GateCommand>();
  options.add("run", &command->run, "The run to judge (default: the newest), with its suspects confirmed in pairs");
  from_start_options(options, *command);
  options.add("--against RUN", &command->against,
              "Compare with this run instead of the baseline (repeatable: nearest first, the others are pooled)");
  common_option(options, command->common_only).needs("--against");
  options
      .add("--since PIN", &command->since,
           "Judge the change since this pin (`torchgate baseline pin`) in interleaved pairs of all cases; --gate "
           "and --budget then set gate.since (0.05) and gate.since_budget (1h)")
      .excludes("--against");
  store_option(options);
  options.key("--confirm WHICH", "gate.confirm", "Suspects to measure again in pairs: none, regressions or all");
  options.key("--unconfirmed ACTION", "gate.unconfirmed", "Action for an unconfirmed suspect: warn, beyond or fail");
  options.key("--pairs N", "gate.pairs", "Maximum number of interleaved pairs (default 48)");
  options.add("--commit SHA", &command->commit,
              "Refuse a run of another commit than this one (7 or more digits), with exit code 2: in a job that judges "
              "what another one measured");
  options.add("--head SHA", &command->head,
              "The change's own newest commit, where the measured one is a merge of it that was made for the test "
              "(pull requests): `accept` writes it into waivers");
  options.add("--seed N", &command->seed, "Seed of the random order of the pairs (default: derived from both runs)");
  pair_plan_options(options, *command);
  options.add(
      "--skip-own-commit", &command->skip_own_commit,
      "Do not compare with earlier runs of the same commit (default on a push in GitHub Actions and GitLab CI)");
  recorded_files_option(options, command->run_recorded_files, "To confirm suspects: ");
  budget_option(options, [command] { return command->since ? "gate.since_budget" : "gate.budget"; });
  options.add(
      "--measure-unchanged", &command->measure_unchanged,
      "Judge groups, too, whose executable, libraries and files are byte-identical on both sides (default: their "
      "cases are unchanged): shows what this machine can see");
  limit_options(options);
  judging_options(options, [command] { return command->since ? "gate.since" : "gate.latency"; });
  policy_from_option(options);
  waivers_option(options);
  show_report_options(options, command->show, [command] {
    std::vector<std::string> read = command->against;
    for (const auto* const named : {&command->run, &command->pairs_from, &command->baseline_of})
      if (*named) read.push_back(**named);
    return read;
  });
  return invocation(command, gate_command);
}

}  // namespace torchgate::cli
