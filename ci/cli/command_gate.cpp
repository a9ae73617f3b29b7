// SPDX-License-Identifier: Apache-2.0
#include "baselines/store.hpp"
#include "ci/cli/baseline_of.hpp"
#include "ci/cli/calibrated.hpp"
#include "ci/cli/commands.hpp"
#include "ci/cli/confirm.hpp"
#include "ci/cli/last_report.hpp"
#include "ci/cli/present.hpp"
#include "ci/cli/workspace.hpp"
#include "ci/gate/judge.hpp"

namespace torchgate::cli {

using record::ErrorCode;

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

  const auto suspected = gate::suspects(*report, policy);
  std::optional<record::Run> pairs;
  // Not by the outcome so far: rule paired has none before its pairs.
  if (!suspected.empty() && !current->interrupted) {
    auto measured =
        measure_suspects(suspected, baseline->runs.front(), *current, objects, command.seed, policy, console);
    if (measured) {
      pairs = std::move(measured->run);
      comparison.rebuilt = measured->rebuilt;
      if (!measured->rebuilt.empty()) comparison.notes.push_back(measured->rebuilt);
      if (const auto saved = workspace.save(*pairs, std::nullopt); !saved) return console.fail(saved.error());
      comparison.pairs = &*pairs;
    } else if (measured.error().code == ErrorCode::interrupted) {
      return console.fail(measured.error());
    } else {
      comparison.unconfirmed_because = measured.error().message;
      comparison.confirmable = false;
    }
    report = gate::judge_stored(comparison, policy);
    if (!report) return console.fail(report.error());
  }
  keep_last_report(*report, console);
  return present(*report, command.show, console);
}

}  // namespace torchgate::cli
