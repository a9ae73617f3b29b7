// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/commands/stored_pairs.hpp"

#include <fmt/format.h>

#include <utility>

#include "ci/cli/progress.hpp"
#include "ci/workflow/build/rebuild_baseline.hpp"
#include "ci/workflow/measure/changed_data.hpp"
#include "ci/workflow/pairs/confirm.hpp"
#include "ci/workflow/pairs/what_ran.hpp"

namespace torchgate::cli {

using base::ErrorCode;

namespace {

struct Suspects {
  const workflow::PairPlanFile& plan;
  const record::Run& baseline;
  const record::Run& current;
};

base::Result<workflow::SuspectPairs> recorded_pairs(const std::string& name, const Suspects& suspects,
                                                    const workflow::Workspace& workspace,
                                                    const policy::Policy& policy) {
  auto pairs = workspace.load(name, "measure its pairs with `torchgate ab --pair-plan FILE`");
  if (!pairs) return pairs.error().within("--pairs-from");
  if (auto checked = workflow::check_pairs(*pairs, suspects.plan, suspects.baseline, suspects.current, policy);
      !checked) {
    const bool elsewhere = checked.error().code == ErrorCode::no_verdict;
    return base::Error{elsewhere ? ErrorCode::no_verdict : ErrorCode::bad_input, checked.error().message};
  }
  const std::string rebuilt =
      pairs->plan.confirms->rebuilt ? workflow::rebuilt_sentence(*pairs->plan.confirms->rebuilt) : "";
  return workflow::SuspectPairs{*std::move(pairs), rebuilt};
}

// no_verdict: they cannot be measured here, and why.
base::Result<workflow::SuspectPairs> measured_pairs(const Suspects& suspects, const baselines::Store* objects,
                                                    const workflow::Workspace& workspace,
                                                    const workflow::RecordedFiles& files, const policy::Policy& policy,
                                                    const Console& console) {
  ConsoleNarrator narrator(console);
  const auto keep = [&](record::Run& run) { return workspace.save(run, std::nullopt); };
  auto pairs = workflow::measure_suspects(suspects.plan, suspects.baseline, suspects.current, objects, files, policy,
                                          keep, narrator);
  if (!pairs && pairs.error().code != ErrorCode::interrupted)
    return base::Error{ErrorCode::no_verdict, pairs.error().message};
  if (!pairs) return pairs;
  if (const auto saved = keep(pairs->run); !saved) return saved.error();
  // Not judged with less evidence than was asked for: who stopped it has no answer, and neither a pass.
  if (pairs->run.interrupted)
    return base::Error{ErrorCode::interrupted,
                       fmt::format("interrupted while confirming suspects in pairs: nothing was judged; the pairs "
                                   "measured so far are run {}",
                                   pairs->run.id)};
  return pairs;
}

}  // namespace

base::Result<void> add_pairs(gate::Comparison& comparison, const workflow::PairPlanFile& plan, const PairSource& source,
                             const workflow::Workspace& workspace, const policy::Policy& policy, const Console& console,
                             std::optional<record::Run>& pairs) {
  const Suspects suspects{plan, *comparison.baseline.front(), *comparison.current};
  auto confirmed = source.recorded ? recorded_pairs(*source.recorded, suspects, workspace, policy)
                                   : measured_pairs(suspects, source.objects, workspace,
                                                    {workspace, source.run_recorded_files}, policy, console);
  if (confirmed) {
    pairs = std::move(confirmed->run);
    comparison.rebuilt = confirmed->rebuilt;
    if (!confirmed->rebuilt.empty()) comparison.notes.push_back(confirmed->rebuilt);
    comparison.pairs = &*pairs;
    // Pairs that were measured here have it from here.
    if (source.recorded) comparison.changed_data = workflow::changed_data(suspects.baseline, suspects.current);
    if (!comparison.changed_data) comparison.changed_data = pairs->changed_data;
    if (!comparison.changed_data)
      comparison.missing_commit = workflow::missing_commit(suspects.baseline, suspects.current);
    return {};
  }
  if (confirmed.error().code != ErrorCode::no_verdict) return confirmed.error();
  comparison.no_pairs_because = confirmed.error().message;
  comparison.confirmable = false;
  return {};
}

}  // namespace torchgate::cli
