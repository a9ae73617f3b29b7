// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/commands/named_runs.hpp"

#include <array>
#include <utility>

#include "baselines/open_store.hpp"
#include "baselines/store.hpp"
#include "ci/workflow/baseline/baseline_of.hpp"
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

gate::Comparison comparison_of_named(record::Run& before, record::Run& after) {
  import::align_names(std::array{&before, &after});
  gate::Comparison comparison;
  comparison.baseline = {&before};
  comparison.current = &after;
  comparison.sides_named = true;
  return comparison;
}

}  // namespace torchgate::cli
