// SPDX-License-Identifier: Apache-2.0
// `gate --suite`: pairs of the baseline's binaries and this build from the start. Where they cannot be measured, a run is, and is judged as
// any other.
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "baselines/open_store.hpp"
#include "baselines/store.hpp"
#include "ci/cli/commands/gate_command.hpp"
#include "ci/cli/commands/judged_run.hpp"
#include "ci/cli/commands/measured_run.hpp"
#include "ci/cli/progress.hpp"
#include "ci/gate/judge.hpp"
#include "ci/gate/weaker_run.hpp"
#include "ci/policy/pairs_budget.hpp"
#include "ci/policy/since_pin.hpp"
#include "ci/workflow/measure/changed_data.hpp"
#include "ci/workflow/measure/measuring.hpp"
#include "ci/workflow/pairs/only_in_older.hpp"
#include "ci/workflow/pairs/pairs_from_start.hpp"
#include "ci/workflow/workspace/spent_waivers.hpp"
#include "harness/base/some_of.hpp"
#include "harness/base/timestamp.hpp"
#include "harness/import/programs.hpp"
#include "harness/record/imported.hpp"
#include "harness/record/short_commit.hpp"
#include "stats/rules.hpp"

namespace torchgate::cli {
namespace {

using base::Error;
using base::ErrorCode;

// They belong to a run that was measured before.
base::Result<void> check_flags(const GateCommand& command) {
  const std::string measuring =
      "--suite, --now, --filter, --quick, --full, --instructions, --warmup, --samples and --save";
  const auto refused = [&](const char* flag) {
    return Error{ErrorCode::bad_input,
                 fmt::format("{} is about a run that was measured before; give RUN, without {}", flag, measuring)};
  };
  if (command.run)
    return Error{ErrorCode::bad_input,
                 fmt::format("RUN was measured before, and {} are about what is measured now; leave RUN or these out",
                             measuring)};
  if (command.since) return refused("--since");
  if (command.suspects) return refused("--pair-plan");
  if (command.pairs_from) return refused("--pairs-from");
  if (command.without_pairs) return refused("--without-pairs");
  if (command.baseline_of) return refused("--baseline-of");
  return {};
}

base::Result<void> check_commit(const GateCommand& command) {
  if (!command.commit) return {};
  const record::Source here = workflow::source_here();
  if (names_commit(*command.commit, here.commit)) return {};
  return Error{ErrorCode::bad_input, fmt::format("this checkout is of commit {}, expected {} (--commit)",
                                                 here.commit.value_or("(unknown)"), *command.commit)};
}

// Why the policy excludes pairs of all cases; empty: it does not.
std::string not_wanted_because(const policy::Gate& policy) {
  if (!stats::find_rule(policy.rule)->judges_pairs) return fmt::format("rule \"{}\" judges no pairs", policy.rule);
  if (policy.confirm == policy::Confirm::none) return "the policy asks for no pairs (gate.confirm = \"none\")";
  if (!policy::parse_gate_budget(policy.budget).value().open_cases)
    return "the policy asks for pairs of suspects only (gate.budget = \"none\")";
  return "";
}

// A run of this checkout as far as the choice of its baseline asks.
record::Run run_here(const policy::Run& policy) {
  record::Run run;
  run.created = base::utc_timestamp(std::chrono::system_clock::now());
  run.machine = workflow::machine_here(policy);
  run.sides = {{"run", workflow::source_here(), {}}};
  return run;
}

base::Result<workflow::Baseline> baseline_elsewhere(const record::Run& here, const baselines::Store& store,
                                                    workflow::BaselineChoice choice) {
  choice.another_host = true;
  auto elsewhere = workflow::choose_baseline(store, here, choice);
  if (!elsewhere) return elsewhere;
  elsewhere->notes.push_back(
      fmt::format("the baseline was measured on another machine, {}", elsewhere->runs.front().machine.host_key));
  return elsewhere;
}

// Binaries do not care which machine measured them: where this one has no baseline, that of another one will do.
base::Result<workflow::Baseline> baseline_here(const GateCommand& command, const baselines::Store* store,
                                               const workflow::Workspace& workspace, const policy::Policy& policy) {
  if (!command.against.empty()) return workflow::named_baseline(command.against, workspace, store);
  auto choice = baseline_choice(command);
  if (!choice) return choice.error();
  const record::Run here = run_here(policy);
  auto baseline = workflow::choose_baseline(*store, here, *choice);
  if (baseline || baseline.error().code != ErrorCode::no_verdict) return baseline;
  auto elsewhere = baseline_elsewhere(here, *store, *std::move(choice));
  return elsewhere ? elsewhere : baseline;
}

// What was measured on another machine, of a nearer commit than the newest run OWN of this one: its binaries lack less of what is not this change's.
std::optional<workflow::Baseline> nearer_baseline(const GateCommand& command, const baselines::Store* store,
                                                  const workflow::Baseline& own, const policy::Policy& policy) {
  if (!own.nearer_elsewhere) return std::nullopt;
  auto choice = baseline_choice(command);
  if (!choice) return std::nullopt;
  const record::Run here = run_here(policy);
  choice->skip_own_commit = choice->skip_own_commit || here.sides.front().source.modified != true;
  auto nearer = baseline_elsewhere(here, *store, *std::move(choice));
  if (!nearer || nearer->runs.front().id != own.nearer_elsewhere || record::is_imported(nearer->runs.front()))
    return std::nullopt;
  return *std::move(nearer);
}

// What is needed all along.
struct Here {
  const GateCommand& command;
  const RunCommand& run;  // the same suites, as a run
  const policy::Policy& policy;
  const Console& console;
  workflow::Workspace workspace = workflow::Workspace();
};

// The second way: a run, judged against stored times.
ExitCode judge_a_run(const Here& here, const std::string& why) {
  here.console.warn(fmt::format("no pairs from the start: {}; a run is measured and compared with stored times", why));
  RunCommand run = here.run;
  // What pairs from the start leave out, the run does, too. It knows only the baseline that is chosen by commit.
  run.skip_unchanged = !here.command.measure_unchanged && here.command.against.empty();
  auto request = run_request(run, here.policy);
  if (!request) return here.console.fail(request.error());
  const auto measured = measured_run(*std::move(request), run, here.policy, here.console);
  if (!measured) return here.console.fail(measured.error());
  if (measured->run.interrupted)
    return here.console.fail(
        {ErrorCode::interrupted,
         fmt::format("interrupted while a run was measured: nothing was judged; resume it with `torchgate run --resume "
                     "{}` and judge it with `torchgate gate {}`",
                     measured->run.id, here.workspace.for_a_shell(here.run.save.value_or(measured->run.id)))});
  GateCommand judge = here.command;
  judge.run = measured->path.string();
  judge.now = false;
  judge.suites.clear();
  judge.measure = {};
  judge.save.reset();
  judge.no_pairs_from_start = why;
  return gate_command(judge, here.policy, here.console);
}

// Of pairs that decided without a run, a pass leaves nothing that the next commit could be compared with.
void mention_baselines(const record::Run& current, reports::Report& report) {
  if (report.outcome != reports::Outcome::pass) return;
  const auto& commit = current.sides.front().source.commit;
  report.notes.push_back(fmt::format(
      "these pairs are not a baseline{}: what others are compared with is a run, `torchgate run --save NAME` and "
      "`torchgate baseline add NAME`",
      commit ? " of commit " + record::short_commit(*commit) : ""));
}

// The pairs ran the nearest stored run's binaries: what became slower before it, and was not measured in it, is slower in both of their sides.
reports::Doubt not_seen(const record::Run& nearest, const workflow::OlderRun& older) {
  constexpr std::size_t most_names = 3;
  const auto& commit = older.run->sides.front().source.commit;
  reports::Doubt doubt(fmt::format(
      "the pairs ran the binaries of run {}, which has no usable numbers of {}; run {}{} has them, and a slow-down "
      "between the two is not seen",
      nearest.id, base::some_of(older.cases, most_names), older.run->id,
      commit ? fmt::format(" of {}", record::short_commit(*commit)) : ""));
  doubt.fix = fmt::format("compare with that run, too (`--against {}`)", older.run->id);
  return doubt;
}

ExitCode judge_pairs(const Here& here, workflow::Baseline baseline, workflow::PairsFromStart measured) {
  import::align_names(std::array{&baseline.runs.front(), &measured.current, &measured.pairs});
  gate::Comparison comparison;
  // The nearest is the baseline; older ones have claims that it may lack.
  for (const record::Run& run : baseline.runs) comparison.baseline.push_back(&run);
  comparison.current = &measured.current;
  comparison.pairs = &measured.pairs;
  comparison.from_start = true;
  comparison.rebuilt = measured.rebuilt;
  if (!measured.pairs.changed_data)
    comparison.missing_commit = workflow::missing_commit(baseline.runs.front(), measured.current);
  comparison.judge_unchanged = here.command.measure_unchanged;
  comparison.notes.emplace_back("measured in pairs from the start; no run was made");
  comparison.notes.insert(comparison.notes.end(), baseline.notes.begin(), baseline.notes.end());
  for (const std::string& doubt : baseline.doubts) comparison.doubts.emplace_back(doubt);
  for (const workflow::OlderRun& older : workflow::cases_only_in_older(baseline.runs, measured.current, measured.pairs))
    comparison.doubts.push_back(not_seen(baseline.runs.front(), older));
  const policy::Policy policy = workflow::with_spent_waivers(policy::pairs_alone(here.policy), comparison.baseline,
                                                             measured.current, here.command.head);
  auto report = gate::judge_since(comparison, policy);
  if (!report) return here.console.fail(report.error());
  gate::judge_how_measured(measured.current, {comparison.baseline.front()}, policy, *report);
  mention_baselines(measured.current, *report);
  return present_judged(*std::move(report), std::optional(std::move(measured.pairs)), here.command, policy,
                        here.console);
}

}  // namespace

ExitCode gate_now_command(const GateCommand& command, const policy::Policy& policy, const Console& console) {
  if (auto fits = check_flags(command); !fits) return console.fail(fits.error());
  if (auto fits = check_commit(command); !fits) return console.fail(fits.error());
  RunCommand run;
  run.suites = command.suites.empty() ? policy.suites : command.suites;
  run.measure = command.measure;
  run.measure.seed = command.seed;
  run.save = command.save;
  if (auto possible = run_request(run, policy); !possible) return console.fail(possible.error());
  const Here here{command, run, policy, console};

  if (const std::string why = not_wanted_because(policy); !why.empty()) return judge_a_run(here, why);
  const auto store = baselines::open_store(policy.store, baselines::OpenMode::existing);
  if (!store && command.against.empty()) return judge_a_run(here, "there is no baseline, " + store.error().message);
  const baselines::Store* objects = store ? store->get() : nullptr;
  auto baseline = baseline_here(command, objects, here.workspace, policy);
  if (!baseline && baseline.error().code != ErrorCode::no_verdict) return console.fail(baseline.error());
  if (!baseline) return judge_a_run(here, "there is no baseline, " + baseline.error().message);
  if (record::is_imported(baseline->runs.front()))
    return judge_a_run(here, "the baseline was imported from another tool, so its program cannot run again");

  const auto measured = [&](const workflow::Baseline& with, const std::vector<record::Run>& stored) {
    ConsoleNarrator narrator(console);
    const workflow::FromStart wanted{run.measure, run.suites, command.measure_unchanged, command.save,
                                     workflow::suites_only_in_older(stored)};
    return workflow::measure_from_start(wanted, with.runs.front(), objects,
                                        {here.workspace, command.run_recorded_files}, policy::pairs_alone(policy),
                                        narrator);
  };
  if (auto nearer = nearer_baseline(command, objects, *baseline, policy)) {
    std::vector<record::Run> stored = baseline->runs;
    stored.insert(stored.begin(), nearer->runs.front());
    auto pairs = measured(*nearer, stored);
    if (pairs) return judge_pairs(here, *std::move(nearer), *std::move(pairs));
    if (pairs.error().code != ErrorCode::no_verdict) return console.fail(pairs.error());
    console.warn(fmt::format("no pairs with run {} of another machine: {}; the newest run of this machine is taken",
                             nearer->runs.front().id, pairs.error().message));
  }
  auto pairs = measured(*baseline, baseline->runs);
  if (!pairs && pairs.error().code == ErrorCode::no_verdict) return judge_a_run(here, pairs.error().message);
  if (!pairs) return console.fail(pairs.error());
  return judge_pairs(here, *std::move(baseline), *std::move(pairs));
}

}  // namespace torchgate::cli
