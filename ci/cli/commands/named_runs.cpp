// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/commands/named_runs.hpp"

#include <array>
#include <utility>

#include "baselines/open_store.hpp"
#include "ci/gate/weaker_run.hpp"
#include "ci/workflow/baseline/baseline_of.hpp"
#include "ci/workflow/baseline/calibrated.hpp"
#include "ci/workflow/workspace/spent_waivers.hpp"
#include "harness/import/programs.hpp"

namespace torchgate::cli {

base::Result<record::Run> else_stored(base::Result<record::Run> found, const std::string& name,
                                      const workflow::Workspace& workspace, const policy::Policy& policy) {
  if (found || found.error().code != base::ErrorCode::not_found) return found;
  const auto store = baselines::open_store(policy.store, baselines::OpenMode::existing);
  if (!store) return found;
  auto stored = workflow::load_anywhere(name, workspace, store->get());
  if (stored && stored->samples) {
    const auto samples = (*store)->load_samples(*stored);
    if (!samples && samples.error().code != base::ErrorCode::not_found) return samples.error();
  }
  return stored;
}

base::Result<record::Run> load_named(const std::string& name, const workflow::Workspace& workspace,
                                     const policy::Policy& policy) {
  return else_stored(workspace.load(name), name, workspace, policy);
}

base::Result<gate::Comparison> comparison_of_named(record::Run& before, record::Run& after,
                                                   const baselines::Store* store, const policy::Policy& policy) {
  import::align_names(std::array{&before, &after});
  gate::Comparison comparison;
  comparison.baseline = {&before};
  comparison.current = &after;
  comparison.sides_named = true;
  comparison.doubts.emplace_back("two separate runs: the machine may have changed between them",
                                 reports::DoubtKind::separate_runs);
  if (auto used = workflow::use_calibration(comparison, store, policy); !used) return used.error();
  return comparison;
}

base::Result<reports::Report> judge_named(const gate::Comparison& comparison, const std::vector<std::string>& vary,
                                          const policy::Policy& policy) {
  policy::Policy varying = workflow::with_spent_waivers(policy, comparison.baseline, *comparison.current);
  varying.vary = vary;
  varying.of_gate = false;
  auto report = gate::judge_stored(comparison, varying);
  if (report) gate::judge_how_measured(*comparison.current, comparison.baseline, policy, *report);
  return report;
}

}  // namespace torchgate::cli
