// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/commands/pairs_alone.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

#include "ci/cli/commands/judged_run.hpp"
#include "ci/cli/commands/stored_pairs.hpp"
#include "ci/cli/present.hpp"
#include "ci/gate/evidence/incomplete.hpp"
#include "ci/gate/weaker_run.hpp"
#include "ci/policy/since_pin.hpp"
#include "ci/workflow/workspace/spent_waivers.hpp"
#include "harness/base/counted.hpp"
#include "harness/base/named_output.hpp"
#include "harness/import/programs.hpp"
#include "harness/record/imported.hpp"
#include "stats/rules.hpp"

namespace torchgate::cli {

namespace {

ExitCode hand_over_all(const GateCommand& command, const workflow::PairPlanFile& plan, gate::Comparison comparison,
                       const policy::Judging& policy, const Console& console) {
  if (auto written = base::write_output_file(*command.suspects, workflow::to_json(plan)); !written)
    return console.fail(written.error());
  if (!plan.empty()) {
    comparison.no_pairs_because = "they are yet to be measured (" + *command.suspects + ")";
    comparison.pairs_planned = true;
  }
  const auto report = gate::judge_since(comparison, policy);
  if (!report) return console.fail(report.error());
  console.err << fmt::format("{}: {} to compare in pairs\n", *command.suspects,
                             base::counted(plan.confirms.open.size(), "case", "cases"));
  const ExitCode presented = present(*report, command.show, console);
  // No verdict yet is what was asked for. Of a run without its whole plan no pairs can make one.
  const bool can_pass = !plan.empty() && gate::incomplete_because(*comparison.current).empty();
  return presented == ExitCode::no_verdict && can_pass ? ExitCode::ok : presented;
}

}  // namespace

ExitCode judge_by_pairs_alone(gate::Comparison comparison, const baselines::Store& store, const GateCommand& command,
                              const workflow::Workspace& workspace, const policy::Policy& project,
                              const Console& console) {
  const policy::Policy policy =
      workflow::with_spent_waivers(project, comparison.baseline, *comparison.current, command.head);
  auto cases = gate::cases_since(comparison);
  if (!cases) return console.fail(cases.error());
  workflow::PairPlanFile plan = workflow::make_pair_plan(*std::move(cases), *comparison.baseline.front(),
                                                         *comparison.current, command.seed, policy);
  if (comparison.pin) plan.since = comparison.pin->name;
  if (command.suspects) return hand_over_all(command, plan, comparison, policy, console);
  std::optional<record::Run> pairs;
  if (!plan.empty() && command.without_pairs) {
    comparison.no_pairs_because = *command.without_pairs;
  } else if (!plan.empty()) {
    const PairSource source{command.pairs_from, &store, command.run_recorded_files};
    if (auto added = add_pairs(comparison, plan, source, workspace, policy, console, pairs); !added)
      return console.fail(added.error());
  }
  auto report = gate::judge_since(comparison, policy);
  if (!report) return console.fail(report.error());
  gate::judge_how_measured(*comparison.current, comparison.baseline, policy, *report);
  return present_judged(*std::move(report), pairs, command, policy, console);
}

std::optional<ExitCode> gate_on_another_host(record::Run& current, workflow::BaselineChoice choice,
                                             const baselines::Store& store, const GateCommand& command,
                                             const workflow::Workspace& workspace, const policy::Policy& project,
                                             const Console& console) {
  const bool by_pairs = stats::find_rule(project.rule)->judges_pairs && project.confirm != policy::Confirm::none;
  if (!by_pairs || current.machine.host_key.empty() || record::is_imported(current)) return std::nullopt;
  choice.another_host = true;
  auto baseline = workflow::choose_baseline(store, current, choice);
  if (!baseline) return std::nullopt;
  record::Run& nearest = baseline->runs.front();
  import::align_names(std::array{&nearest, &current});
  gate::Comparison comparison;
  comparison.baseline = {&nearest};
  comparison.current = &current;
  comparison.judge_unchanged = command.measure_unchanged;
  comparison.notes = baseline->notes;
  for (const std::string& doubt : baseline->doubts) comparison.doubts.emplace_back(doubt);
  comparison.notes.push_back(fmt::format(
      "no run of this machine ({}) is stored for these commits; the baseline was measured on {}, so its times "
      "are not compared: pairs of both builds, measured here, decide",
      current.machine.host_key, nearest.machine.host_key));
  return judge_by_pairs_alone(std::move(comparison), store, command, workspace, policy::pairs_alone(project), console);
}

}  // namespace torchgate::cli
