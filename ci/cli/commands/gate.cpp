// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <utility>

#include "baselines/open_store.hpp"
#include "baselines/store.hpp"
#include "ci/cli/commands/commands.hpp"
#include "ci/cli/present.hpp"
#include "ci/cli/progress.hpp"
#include "ci/gate/judge.hpp"
#include "ci/policy/case_rules.hpp"
#include "ci/workflow/baseline_of.hpp"
#include "ci/workflow/calibrated.hpp"
#include "ci/workflow/confirm.hpp"
#include "ci/workflow/last_report.hpp"
#include "ci/workflow/what_ran.hpp"
#include "ci/workflow/workspace.hpp"
#include "harness/base/atomic_file.hpp"
#include "harness/base/counted.hpp"

namespace torchgate::cli {

using base::ErrorCode;

namespace {

// The screen alone: what needs pairs goes into the plan's file, and fails nothing yet. The exit code is that of the rest: 1 and
// 3 only where no pairs can change it.
ExitCode hand_over(const GateCommand& command, const workflow::PairPlanFile& plan, gate::StoredComparison comparison,
                   const policy::Policy& policy, const Console& console) {
  if (auto written = base::write_file_atomically(*command.suspects, workflow::to_json(plan), true); !written)
    return console.fail(written.error());
  policy::Policy waiting = policy;
  if (!plan.empty()) {
    waiting = policy::awaiting_pairs(policy);
    comparison.unconfirmed_because = "its pairs are yet to be measured (" + *command.suspects + ")";
  }
  const auto report = gate::judge_stored(comparison, waiting);
  if (!report) return console.fail(report.error());
  console.err << fmt::format("{}: {} to confirm in pairs\n", *command.suspects, plan.cases.size());
  if (!plan.confirms.open.empty())
    console.err << fmt::format("{}: {} to decide in pairs\n", *command.suspects,
                               base::counted(plan.confirms.open.size(), "open case", "open cases"));
  return present(*report, command.show, console);
}

struct Suspects {
  const workflow::PairPlanFile& plan;
  const record::Run& baseline;
  const record::Run& current;
};

base::Result<workflow::SuspectPairs> recorded_pairs(const std::string& name, const Suspects& suspects,
                                                    const workflow::Workspace& workspace,
                                                    const policy::Policy& policy) {
  auto pairs = workspace.load(name);
  if (!pairs) return pairs.error().within("--pairs-from");
  if (auto checked = workflow::check_pairs(*pairs, suspects.plan, suspects.baseline, suspects.current, policy);
      !checked)
    return base::Error{ErrorCode::bad_input, checked.error().message};
  return workflow::SuspectPairs{*std::move(pairs), ""};
}

// no_verdict: they cannot be measured here, and why.
base::Result<workflow::SuspectPairs> measured_pairs(const Suspects& suspects, const baselines::Store* objects,
                                                    const workflow::Workspace& workspace,
                                                    const workflow::RecordedFiles& files, const policy::Policy& policy,
                                                    const Console& console) {
  ConsoleNarrator narrator(console);
  auto pairs =
      workflow::measure_suspects(suspects.plan, suspects.baseline, suspects.current, objects, files, policy, narrator);
  if (!pairs && pairs.error().code != ErrorCode::interrupted)
    return base::Error{ErrorCode::no_verdict, pairs.error().message};
  if (!pairs) return pairs;
  if (const auto saved = workspace.save(pairs->run, std::nullopt); !saved) return saved.error();
  // Not judged with less evidence than was asked for: who stopped it has no answer, and neither a pass.
  if (pairs->run.interrupted)
    return base::Error{ErrorCode::interrupted,
                       fmt::format("interrupted while confirming suspects in pairs: nothing was judged; the pairs "
                                   "measured so far are run {}",
                                   pairs->run.id)};
  return pairs;
}

}  // namespace

ExitCode gate_command(const GateCommand& command, const policy::Policy& policy, const Console& console) {
  if (auto writable = check_writable(command.show); !writable) return console.fail(writable.error());
  const workflow::Workspace workspace;
  const auto current = command.run ? workspace.load(*command.run) : workspace.newest();
  if (!current) return console.fail(current.error());
  auto store = baselines::open_store(policy.store, baselines::OpenMode::existing);
  if (!store && command.against.empty()) return console.fail(store.error());
  const baselines::Store* objects = store ? store->get() : nullptr;
  auto baseline = !command.against.empty() ? workflow::named_baseline(command.against, workspace, objects)
                                           : workflow::choose_baseline(*objects, *current);
  if (!baseline) return console.fail(baseline.error());

  gate::StoredComparison comparison;
  for (const record::Run& run : baseline->runs) comparison.baseline.push_back(&run);
  comparison.current = &*current;
  comparison.notes = baseline->notes;
  comparison.doubts.assign(baseline->doubts.begin(), baseline->doubts.end());
  comparison.confirmable = policy.confirm != policy::Confirm::none;
  if (policy.confirm == policy::Confirm::none)
    comparison.unconfirmed_because = "the policy asks for no pairs (gate.confirm = \"none\")";
  if (auto used = workflow::use_calibration(comparison, objects, policy); !used) return console.fail(used.error());
  auto screened = gate::cases_for_pairs(comparison, policy);
  if (!screened) return console.fail(screened.error());

  const workflow::PairPlanFile plan =
      workflow::make_pair_plan(*std::move(screened), baseline->runs.front(), *current, command.seed, policy);
  if (command.suspects) return hand_over(command, plan, comparison, policy, console);
  const Suspects suspects{plan, baseline->runs.front(), *current};
  std::optional<record::Run> pairs;
  // Not by the outcome so far: rule paired has none before its pairs.
  if (!plan.empty() && (command.pairs_from || !current->interrupted)) {
    auto confirmed = command.pairs_from ? recorded_pairs(*command.pairs_from, suspects, workspace, policy)
                                        : measured_pairs(suspects, objects, workspace,
                                                         {workspace, command.run_recorded_files}, policy, console);
    if (confirmed) {
      pairs = std::move(confirmed->run);
      comparison.rebuilt = confirmed->rebuilt;
      if (!confirmed->rebuilt.empty()) comparison.notes.push_back(confirmed->rebuilt);
      comparison.pairs = &*pairs;
    } else if (confirmed.error().code == ErrorCode::no_verdict) {
      comparison.unconfirmed_because = confirmed.error().message;
      comparison.confirmable = false;
    } else {
      return console.fail(confirmed.error());
    }
  }
  const auto report = gate::judge_stored(comparison, policy);
  if (!report) return console.fail(report.error());
  if (const auto kept = workflow::keep_last_report(*report); !kept) console.warn(kept.error().message);
  return present(*report, command.show, console);
}

}  // namespace torchgate::cli
