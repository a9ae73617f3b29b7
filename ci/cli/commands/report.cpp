// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "baselines/open_store.hpp"
#include "baselines/store.hpp"
#include "ci/cli/command_table.hpp"
#include "ci/cli/commands/ab_libtorch.hpp"
#include "ci/cli/commands/named_runs.hpp"
#include "ci/cli/present.hpp"
#include "ci/cli/shared_options.hpp"
#include "ci/gate/evidence/vary.hpp"
#include "ci/gate/judge.hpp"
#include "ci/policy/policy.hpp"
#include "ci/workflow/site/report_histories.hpp"
#include "ci/workflow/site/store_site.hpp"
#include "ci/workflow/workspace/workspace.hpp"
#include "harness/base/counted.hpp"

namespace torchgate::cli {

namespace {

struct ReportCommand {
  std::optional<std::string> run;     ///< absent with a site only
  std::optional<std::string> site;    ///< write the site of the store there
  std::optional<std::string> host;    ///< of the site: only its runs
  std::optional<std::string> other;   ///< compared with it: `run` is before
  std::optional<std::string> output;  ///< write the report there, and print nothing
  std::vector<std::string> vary;      ///< facts that differ on purpose
  ShowFlags show;
};

std::vector<std::string> named_in(const ReportCommand& command) {
  std::vector<std::string> runs;
  if (command.run) runs.push_back(*command.run);
  if (command.other) runs.push_back(*command.other);
  return runs;
}

// The exit code says whether the report could be shown, not what it says.
ExitCode show_report(reports::Report& report, const ReportCommand& command, const policy::Policy& policy,
                     const Console& console) {
  ShowFlags flags = command.show;
  if (wants_page(flags)) workflow::add_histories(report, policy.store, policy.margin);
  if (command.output) {
    flags.write.push_back(flags.format + "=" + *command.output);
    flags.quiet = true;
  }
  const auto shown = show(report, flags, console);
  return shown ? ExitCode::ok : console.fail(shown.error());
}

ExitCode write_site(const ReportCommand& command, const policy::Policy& policy, const Console& console) {
  const auto store = baselines::open_store(policy.store, baselines::OpenMode::existing);
  if (!store) return console.fail(store.error());
  const auto update = workflow::update_site(**store, policy, command.host, *command.site);
  if (!update) return console.fail(update.error());
  if (!update->unreadable.empty()) console.warn(update->unreadable);
  if (command.show.quiet) return ExitCode::ok;
  console.out << fmt::format("{}/index.html: {} of {}, {} written, {} removed; {} read\n", *command.site,
                             base::counted(update->pages, "page", "pages"), base::counted(update->runs, "run", "runs"),
                             update->written, update->removed, base::counted(update->runs_read, "new run", "new runs"));
  return ExitCode::ok;
}

ExitCode report_command(const ReportCommand& command, const policy::Policy& policy, const Console& console) {
  if (auto usable = check_show_flags<reports::Report>(command.show); !usable) return console.fail(usable.error());
  if (command.site) return write_site(command, policy, console);
  if (!command.run) {
    return console.fail(
        {base::ErrorCode::bad_input,
         "no run named; name one (torchgate report RUN), or a folder for the pages of the store (--site DIR)"});
  }
  const workflow::Workspace workspace(policy);
  const std::vector<std::string> named = named_in(command);
  if (command.output) {
    if (auto kept = check_inputs_stay({*command.output}, named); !kept) return console.fail(kept.error());
  }
  if (auto used = workflow::check_better(policy, named); !used) return console.fail(used.error());
  auto run = load_named(*command.run, workspace, policy);
  if (!run) return console.fail(run.error());
  if (const auto known = gate::check_vary(command.vary, run->machine); !known) return console.fail(known.error());
  if (!command.other) {
    auto report =
        run->sides.size() == 2 ? report_as_planned(*run, command.vary, policy) : gate::describe_run(*run, policy);
    if (!report) return console.fail(report.error());
    if (run->sides.size() == 2) keep_where_accept_may_follow(*report, console);
    return show_report(*report, command, policy, console);
  }
  auto other = load_named(*command.other, workspace, policy);
  if (!other) return console.fail(other.error());
  const auto store = baselines::open_store(policy.store, baselines::OpenMode::existing);
  auto comparison = comparison_of_named(*run, *other, store ? store->get() : nullptr, policy);
  if (!comparison) return console.fail(comparison.error());
  comparison->no_pairs_because = "`torchgate report` measures nothing";
  auto report = judge_named(*comparison, command.vary, policy);
  if (!report) return console.fail(report.error());
  keep_where_accept_may_follow(*report, console);
  return show_report(*report, command, policy, console);
}

}  // namespace

Invocation define_report(Options& options) {
  const auto command = std::make_shared<ReportCommand>();
  options.add("run", &command->run, "A run or pairs: name, file or id");
  Option site =
      options.add("--site DIR", &command->site,
                  "Write or update a folder of web pages: the history of each case of the store, and what changed");
  site.excludes("run");
  options.add("--host KEY", &command->host, "With --site: only the runs of this host key (default: all hosts)")
      .needs("--site");
  store_option(options, "Baseline store, for --site and for stored runs");
  options.add("other", &command->other, "Compare RUN (before) with OTHER (after)");
  options.add("--output,-o FILE", &command->output, "Write the report to this file instead of printing it");
  show_report_options(options, command->show, [command] { return named_in(*command); });
  vary_option(options, command->vary);
  for (const char* of_a_report :
       {"--output", "--format", "--write", "--json", "--markdown", "--html", "--verbose", "--vary"})
    site.excludes(of_a_report);
  judging_options(options);
  site.excludes("--better");
  options.footer(
      "Exit codes: 0 the report was written, also one that says FAIL (compare, ab and gate exit with 1 then); 2 usage "
      "or bad input.");
  return invocation(command, report_command);
}

}  // namespace torchgate::cli
