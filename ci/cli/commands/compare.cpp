// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <malloc.h>

#include <future>
#include <memory>

#include "baselines/open_store.hpp"
#include "baselines/store.hpp"
#include "ci/cli/command_table.hpp"
#include "ci/cli/commands/compare_matrix.hpp"
#include "ci/cli/commands/named_runs.hpp"
#include "ci/cli/commands/stored_pairs.hpp"
#include "ci/cli/present.hpp"
#include "ci/cli/progress.hpp"
#include "ci/cli/shared_options.hpp"
#include "ci/gate/evidence/vary.hpp"
#include "ci/gate/judge.hpp"
#include "ci/workflow/measure/measuring.hpp"
#include "ci/workflow/site/report_histories.hpp"
#include "ci/workflow/workspace/recorded_files.hpp"
#include "ci/workflow/workspace/workspace.hpp"
#include "harness/import/import.hpp"
#include "harness/record/imported.hpp"

namespace torchgate::cli {
namespace {

struct CompareCommand {
  std::string before;
  std::optional<std::string> after;  ///< absent: measure now, with the plan of `before`
  std::vector<std::string> more;     ///< further runs: a column for each
  bool run_recorded_files = false;   ///< what `before` names, wherever it is from
  bool skip_unchanged = false;       ///< without after: groups that are what they were in `before`
  bool common_only = false;          ///< leave out cases that one side alone has
  bool budget_given = false;         ///< without after: pairs of two recorded runs are not measured
  std::vector<std::string> vary;     ///< facts that differ on purpose
  ShowFlags show;
};

// The same suites, cases and effort as the run to compare with.
base::Result<record::Run> measure_again(const record::Run& before, const workflow::RecordedFiles& files,
                                        bool skip_unchanged, const policy::Policy& policy, const Console& console) {
  if (before.plan.profile == import::imported_profile) {
    return base::Error{base::ErrorCode::bad_input,
                       "an imported run cannot be measured again; name a second file to compare with"};
  }
  if (auto named = files.check_measured_again(before, policy.suites); !named) return named.error();
  workflow::Effort flags;
  flags.filter = before.plan.filter;
  flags.profile = before.plan.profile;
  launch::Request again = workflow::request(flags, policy);
  again.plan.processes = before.plan.processes;
  again.plan.samples = before.plan.samples;
  again.plan.warmup_calls = before.plan.warmup_calls;
  again.plan.count = before.plan.count;
  again.sides = {workflow::side("run", before.sides.front().suite_paths, workflow::source_here())};
  if (skip_unchanged) again.unchanged_since = std::make_shared<const record::Run>(before);
  ConsoleNarrator narrator(console);
  auto run = workflow::measure(again, narrator);
  if (!run) return run;
  if (const auto path = workflow::Workspace().save(*run, std::nullopt); !path) return path.error();
  if (run->interrupted)
    return base::Error{base::ErrorCode::interrupted,
                       "interrupted while measuring: nothing was judged; what was measured so far is run " + run->id};
  return run;
}

// What reading two large runs and judging them left behind in small pieces; glibc would keep it until the end.
void give_back_memory() {
  malloc_trim(0);
}

// The runs go with this function: a report holds all that is shown of them, and they are most of the memory.
base::Result<reports::Report> judge(const CompareCommand& command, const policy::Policy& policy,
                                    const Console& console) {
  const workflow::Workspace workspace(policy);
  // Reading is half of the time that two large runs take, and neither needs the other.
  std::future<base::Result<record::Run>> second;
  if (command.after) second = std::async(std::launch::async, [&] { return workspace.load(*command.after); });
  auto before = load_named(command.before, workspace, policy);
  if (!before) return before.error();
  if (const auto known = gate::check_vary(command.vary, before->machine); !known) return known.error();
  auto after = command.after ? else_stored(second.get(), *command.after, workspace, policy)
                             : measure_again(*before, {workspace, command.run_recorded_files}, command.skip_unchanged,
                                             policy, console);
  if (!after) return after.error();
  const auto store = baselines::open_store(policy.store, baselines::OpenMode::existing);
  auto named = comparison_of_named(*before, *after, store ? store->get() : nullptr, policy);
  if (!named) return named.error();
  gate::Comparison& comparison = *named;
  give_back_memory();

  comparison.common_only = command.common_only;
  const bool measured_now = !command.after;
  comparison.confirmable = measured_now && policy.confirm != policy::Confirm::none;
  comparison.no_pairs_because = record::is_imported(*before) || record::is_imported(*after)
                                    ? "imported runs cannot be measured again in pairs"
                                : measured_now ? "the policy asks for no pairs (gate.confirm = \"none\")"
                                               : "compare of two recorded runs measures no pairs; `torchgate gate " +
                                                     workspace.for_a_shell(*command.after) + " --against " +
                                                     workspace.for_a_shell(command.before) + "` or `torchgate ab` do";
  std::optional<record::Run> pairs;
  if (comparison.confirmable) {
    auto cases = gate::cases_for_pairs(comparison, policy);
    if (!cases) return cases.error();
    const auto plan = workflow::make_pair_plan(*std::move(cases), *before, *after, std::nullopt, policy);
    const PairSource source{std::nullopt, store ? store->get() : nullptr, command.run_recorded_files};
    if (!plan.empty()) {
      if (auto added = add_pairs(comparison, plan, source, workspace, policy, console, pairs); !added)
        return added.error();
    }
  }
  return judge_named(comparison, command.vary, policy);
}

ExitCode matrix_command(const CompareCommand& command, const policy::Policy& policy, const Console& console) {
  std::vector<std::string> names{command.before, *command.after};
  names.insert(names.end(), command.more.begin(), command.more.end());
  const auto judge_against_first = [&](const std::string& run) {
    CompareCommand column = command;
    column.after = run;
    return judge(column, policy, console);
  };
  policy::Policy varying = policy;
  varying.vary = command.vary;
  return compare_matrix(names, judge_against_first, workflow::Workspace(policy), varying, command.show, console);
}

// What says how AFTER is measured, where it was measured already.
std::string needless_flag(const CompareCommand& command) {
  if (!command.after) return "";
  if (command.skip_unchanged) return "--skip-unchanged";
  if (command.budget_given) return "--budget";
  return command.run_recorded_files ? workflow::run_recorded_files_flag : "";
}

ExitCode compare_command(const CompareCommand& command, const policy::Policy& policy, const Console& console) {
  if (const std::string flag = needless_flag(command); !flag.empty())
    return console.fail({base::ErrorCode::bad_input,
                         flag + ": only without AFTER, for what is measured now; leave one of the two out"});
  std::vector<std::string> named = command.more;
  named.push_back(command.before);
  if (command.after) named.push_back(*command.after);
  // Without AFTER it is of what is measured.
  if (auto used = workflow::check_better(policy, named); command.after && !used) return console.fail(used.error());
  if (!command.more.empty()) return matrix_command(command, policy, console);
  if (auto usable = check_show_flags<reports::Report>(command.show); !usable) return console.fail(usable.error());
  auto report = judge(command, policy, console);
  if (!report) return console.fail(report.error());
  give_back_memory();
  keep_where_accept_may_follow(*report, console);
  if (wants_page(command.show)) workflow::add_histories(*report, policy.store, policy.margin);
  return present(*report, command.show, console);
}

}  // namespace

Invocation define_compare(Options& options) {
  const auto command = std::make_shared<CompareCommand>();
  options.add("before", &command->before, "A run (name, file or id), or a result file of another tool").required();
  options.add("after", &command->after, "A second run (default: measure now what BEFORE measured)");
  options.add(
      "more", &command->more,
      "Further runs, each compared with BEFORE: one table, a row for each case and a column for each run (all of "
      "them may be pairs of `ab`, each with a before side of its own)");
  recorded_files_option(options, command->run_recorded_files, "Without AFTER: ");
  options.add("--skip-unchanged", &command->skip_unchanged,
              "Without AFTER: do not measure groups whose executable, libraries and files read are the same as in "
              "BEFORE");
  common_option(options, command->common_only);
  vary_option(options, command->vary);
  judging_options(options);
  policy_from_option(options);
  waivers_option(options);
  budget_option(options, [command] {
    command->budget_given = true;
    return "gate.budget";
  });
  show_report_options(options, command->show, [command] {
    std::vector<std::string> runs = command->more;
    runs.push_back(command->before);
    if (command->after) runs.push_back(*command->after);
    return runs;
  });
  return invocation(command, compare_command);
}

}  // namespace torchgate::cli
