// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <utility>

#include "baselines/store.hpp"
#include "ci/cli/baseline_of.hpp"
#include "ci/cli/calibrated.hpp"
#include "ci/cli/commands.hpp"
#include "ci/cli/confirm.hpp"
#include "ci/cli/present.hpp"
#include "ci/cli/what_ran.hpp"
#include "ci/cli/workspace.hpp"
#include "ci/gate/judge.hpp"
#include "harness/record/atomic_file.hpp"

namespace torchgate::cli {

using record::ErrorCode;

namespace {

// The screen alone: what needs pairs goes into the plan's file, and fails nothing yet. The exit code is that of the rest: 1 and
// 3 only where no pairs can change it.
ExitCode hand_over(const GateCommand& command, const SuspectPlan& plan, gate::StoredComparison comparison,
                   const gate::Policy& policy, const Console& console) {
  if (auto written = record::write_file_atomically(*command.suspects, to_json(plan), true); !written)
    return console.fail(written.error());
  gate::Policy waiting = policy;
  if (!plan.cases.empty()) {
    waiting.unconfirmed = gate::Unconfirmed::warn;
    comparison.unconfirmed_because = "its pairs are yet to be measured (" + *command.suspects + ")";
  }
  const auto report = gate::judge_stored(comparison, waiting);
  if (!report) return console.fail(report.error());
  console.err << fmt::format("{}: {} to confirm in pairs\n", *command.suspects, plan.cases.size());
  return present(*report, command.show, console);
}

record::Result<record::Run> recorded_pairs(const std::string& name, const SuspectPlan& plan,
                                           const record::Run& baseline, const record::Run& current,
                                           const Workspace& workspace) {
  auto pairs = workspace.load(name);
  if (!pairs) return pairs;
  if (auto checked = check_pairs(*pairs, plan, baseline, current); !checked) return checked.error();
  return pairs;
}

}  // namespace

ExitCode gate_command(const GateCommand& command, const gate::Policy& policy, const Console& console) {
  const Workspace workspace;
  const auto current = command.run ? workspace.load(*command.run) : workspace.newest();
  if (!current) return console.fail(current.error());
  auto store = baselines::open_store(policy.store, baselines::OpenMode::existing);
  if (!store && command.against.empty()) return console.fail(store.error());
  const baselines::Store* objects = store ? store->get() : nullptr;
  auto baseline = !command.against.empty() ? named_baseline(command.against, workspace, objects)
                                           : choose_baseline(*objects, *current);
  if (!baseline) return console.fail(baseline.error());

  gate::StoredComparison comparison;
  for (const record::Run& run : baseline->runs) comparison.baseline.push_back(&run);
  comparison.current = &*current;
  comparison.notes = baseline->notes;
  comparison.doubts = baseline->doubts;
  comparison.confirmable = policy.confirm != gate::Confirm::none;
  if (policy.confirm == gate::Confirm::none)
    comparison.unconfirmed_because = "the policy asks for no pairs (gate.confirm = \"none\")";
  if (auto used = use_calibration(comparison, objects, policy); !used) return console.fail(used.error());
  auto report = gate::judge_stored(comparison, policy);
  if (!report) return console.fail(report.error());

  const SuspectPlan plan =
      make_suspect_plan(gate::suspects(*report, policy), baseline->runs.front(), *current, command.seed, policy);
  if (command.suspects) return hand_over(command, plan, comparison, policy, console);
  const bool confirms = !plan.cases.empty() && report->outcome != reports::Outcome::no_verdict;
  std::optional<record::Run> pairs;
  if (confirms || (command.pairs_from && !plan.cases.empty())) {
    auto measured = command.pairs_from
                        ? recorded_pairs(*command.pairs_from, plan, baseline->runs.front(), *current, workspace)
                        : measure_suspects(plan, baseline->runs.front(), *current, objects, policy, console);
    if (measured) {
      pairs = std::move(measured).value();
      comparison.pairs = &*pairs;
    } else if (command.pairs_from || measured.error().code == ErrorCode::interrupted) {
      return console.fail(measured.error());
    } else {
      comparison.unconfirmed_because = measured.error().message;
      comparison.confirmable = false;
    }
    if (pairs && !command.pairs_from)
      if (const auto saved = workspace.save(*pairs, std::nullopt); !saved) return console.fail(saved.error());
    if (pairs && pairs->machine.host_key != current->machine.host_key)
      comparison.doubts.push_back("the pairs were measured on another host: " + pairs->machine.host_key);
    report = gate::judge_stored(comparison, policy);
    if (!report) return console.fail(report.error());
  }
  return present(*report, command.show, console);
}

}  // namespace torchgate::cli
