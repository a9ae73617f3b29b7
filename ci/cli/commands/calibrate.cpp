// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <memory>

#include "baselines/open_store.hpp"
#include "baselines/store.hpp"
#include "ci/calibrate/calibrate.hpp"
#include "ci/calibrate/carry_over.hpp"
#include "ci/cli/command_table.hpp"
#include "ci/cli/commands/named_runs.hpp"
#include "ci/cli/present.hpp"
#include "ci/cli/progress.hpp"
#include "ci/cli/shared_options.hpp"
#include "ci/workflow/measure/effort.hpp"
#include "ci/workflow/measure/measuring.hpp"
#include "ci/workflow/pairs/identical_pairs.hpp"
#include "ci/workflow/version.hpp"
#include "ci/workflow/workspace/workspace.hpp"
#include "harness/base/counted.hpp"
#include "harness/base/timestamp.hpp"

namespace torchgate::cli {
namespace {

struct CalibrateCommand {
  std::vector<std::string> suites;
  std::vector<std::string> from;  ///< existing runs, oldest first; empty: measure
  std::int64_t runs = 6;          ///< to measure: five differences say something, and half an hour is enough
  double run_cost_s = 30;         ///< what a run costs before its first process
  workflow::Effort measure;
  ShowFlags show;
};

using Runs = std::vector<record::Run>;

base::Result<Runs> load_runs(const CalibrateCommand& command, const policy::Policy& policy) {
  Runs runs;
  for (const std::string& name : command.from) {
    auto run = load_named(name, workflow::Workspace(), policy);
    if (!run) return run.error();
    runs.push_back(std::move(run).value());
  }
  return runs;
}

// For messages: the options that use the first COUNT runs again.
std::string from_first(std::int64_t count) {
  std::string options;
  for (std::int64_t i = 1; i <= count; ++i) options += fmt::format(" --from calibration{}", i);
  return options;
}

base::Error interrupted_in(std::int64_t run) {
  const std::int64_t complete = run - 1;
  const std::string so_far =
      complete == 0 ? "no run is complete" : base::counted(complete, "run is", "runs are") + " complete";
  const bool enough = complete >= static_cast<std::int64_t>(calibrate::fewest_calibration_runs);
  return {base::ErrorCode::interrupted, fmt::format("interrupted in run {}: {}; {}", run, so_far,
                                                    enough ? "calibrate from them with" + from_first(complete)
                                                           : fmt::format("a calibration needs {}, calibrate again",
                                                                         calibrate::fewest_calibration_runs))};
}

// Runs as CI makes them: each with a seed, an order and processes of its own. All of them are kept, so that what was
// measured before an interruption can be used by --from.
base::Result<Runs> measure_runs(const CalibrateCommand& command, const policy::Policy& policy, const Console& console) {
  const auto& suites = command.suites.empty() ? policy.suites : command.suites;
  if (suites.empty()) {
    return base::Error{base::ErrorCode::bad_input,
                       "no suites: name an executable or a folder with --suite, or set run.suites in torchgate.toml"};
  }
  // A store that cannot be written is noticed before half an hour of measuring.
  if (auto usable = baselines::open_store(policy.store, baselines::OpenMode::create); !usable) return usable.error();
  ConsoleNarrator narrator(console);
  Runs runs;
  for (std::int64_t i = 1; i <= command.runs; ++i) {
    narrator.note(fmt::format("calibration run {} of {}", i, command.runs));
    workflow::Effort flags = command.measure;
    if (flags.seed) *flags.seed += static_cast<std::uint64_t>(i - 1);
    launch::Request request = workflow::request(flags, policy);
    request.sides = {workflow::side(workflow::calibration_side, suites, workflow::source_here())};
    if (i == 1) workflow::remember_suites(request, narrator);
    auto run = workflow::measure(request, narrator);
    if (!run) return run.error().code == base::ErrorCode::interrupted ? interrupted_in(i) : run.error();
    // An interrupted run, kept by its id, replaces no complete one of that name.
    const auto name = run->interrupted ? std::nullopt : std::optional(fmt::format("calibration{}", i));
    if (const auto path = workflow::Workspace().save(*run, name); !path) return path.error();
    if (run->interrupted) return interrupted_in(i);
    runs.push_back(std::move(run).value());
  }
  return runs;
}

struct Kept {
  record::Calibration calibration;
  calibrate::CarriedOver carried_over = {};  ///< cases of the one before it
};

// What was not measured now stays calibrated. A damaged earlier one has nothing that can be used.
base::Result<Kept> keep(const record::Calibration& measured, baselines::Store& store, const Console& console) {
  Kept kept{measured};
  const auto earlier = store.calibration(measured.host_key);
  if (!earlier) {
    console.warn("the earlier calibration cannot be read, and none of its cases are kept: " + earlier.error().message);
  } else if (earlier->calibration) {
    kept.carried_over = calibrate::carry_over(kept.calibration, *earlier->calibration);
    if (const std::size_t dropped = kept.carried_over.dropped; dropped > 0)
      console.warn(fmt::format("{} of the earlier calibration {} not kept: measured on another GPU ({})",
                               base::counted(dropped, "case", "cases"), dropped == 1 ? "is" : "are",
                               earlier->calibration->device_key.value_or("unknown")));
  }
  if (earlier && !earlier->warning.empty()) console.warn(earlier->warning);
  if (auto put = store.put_calibration(kept.calibration); !put) return put.error();
  return kept;
}

std::string kept_text(const Kept& kept) {
  const std::size_t carried_over = kept.carried_over.kept;
  if (carried_over == 0) return "";
  return fmt::format(
      "\nNot measured now: {} of the earlier calibration {} kept; typical run-to-run variation of all {}: {:.2g} %.\n",
      base::counted(carried_over, "case", "cases"), carried_over == 1 ? "is" : "are",
      base::counted(kept.calibration.cases.size(), "case", "cases"), std::expm1(kept.calibration.run_sd) * 100);
}

ExitCode calibrate_command(const CalibrateCommand& command, const policy::Policy& policy, const Console& console) {
  if (auto usable = check_show_flags<record::Calibration>(command.show); !usable) return console.fail(usable.error());
  const auto runs = command.from.empty() ? measure_runs(command, policy, console) : load_runs(command, policy);
  if (!runs) return console.fail(runs.error());
  calibrate::CalibrationRequest request;
  for (const record::Run& run : *runs) request.runs.push_back(&run);
  request.run_cost_s = command.run_cost_s;
  request.created = base::utc_timestamp(std::chrono::system_clock::now());
  request.tool_version = workflow::version;
  const auto calibration = calibrate::calibrate(request, policy);
  if (!calibration) return console.fail(calibration.error());

  auto store = baselines::open_store(policy.store, baselines::OpenMode::create);
  const auto kept = store ? keep(*calibration, **store, console) : base::Result<Kept>(store.error());
  if (!kept && command.from.empty())
    return console.fail({kept.error().code, fmt::format("{}; the runs are saved: calibrate from them with{}",
                                                        kept.error().message, from_first(command.runs))});
  if (!kept) return console.fail(kept.error());
  if (const auto shown = show(*calibration, command.show, console); !shown) return console.fail(shown.error());
  if (command.show.quiet || command.show.format != "terminal") return ExitCode::ok;
  const auto identical = workflow::load_identical_pairs();
  if (!identical) console.warn(identical.error().message);
  const std::string table = identical ? workflow::identical_pairs_table(*identical, calibration->host_key) : "";
  console.out << (table.empty() ? "" : "\n") << table << kept_text(*kept)
              << fmt::format(
                     "\nSaved in {}; `torchgate gate` uses it while fewer than five runs are stored{}.\n",
                     (*store)->location(),
                     !kept->calibration.instruction_counter.empty() ? ", and the spread of instructions always" : "");
  return ExitCode::ok;
}

}  // namespace

Invocation define_calibrate(Options& options) {
  const auto command = std::make_shared<CalibrateCommand>();
  suite_option(options, command->suites);
  options.add("--runs N", &command->runs, "Number of runs (default 6)").from_to(3, 1000);
  Option from = options.add("--from RUN", &command->from, "Use these runs (oldest first) instead of measuring");
  options
      .add("--run-cost SECONDS", &command->run_cost_s,
           "Fixed cost of a run in seconds, before its first process (default 30)")
      .positive();
  show_options<record::Calibration>(options, command->show, "the calibration", "");
  keep_inputs(options, command->show, [command] { return command->from; });
  measure_options(options, command->measure);
  options.key("--processes N", "run.processes", "Processes per group (5)");
  store_option(options);
  limit_options(options);
  // Existing runs were measured already.
  for (const char* const measuring :
       {"--suite", "--runs", "--filter", "--quick", "--full", "--instructions", "--counter", "--seed", "--processes",
        "--threads", "--allocator", "--ranks-with", "--group-limit", "--total-limit"})
    from.excludes(measuring);
  return invocation(command, calibrate_command);
}

}  // namespace torchgate::cli
