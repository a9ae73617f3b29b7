// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/measure/skip_unchanged.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "baselines/open_store.hpp"
#include "baselines/store.hpp"
#include "ci/workflow/baseline/baseline_of.hpp"

namespace torchgate::workflow {
namespace {

base::Result<record::Run> nearest_baseline(const launch::Request& request, const policy::Baseline& policy) {
  const auto store = baselines::open_store(policy.store, baselines::OpenMode::existing);
  if (!store) return store.error();
  record::Run planned;  // what the choice depends on: commit and host
  planned.machine = machine::collect_machine(launch::sources_of(request));
  planned.sides.push_back({"run", request.sides.front().source, {}});
  auto baseline = choose_baseline(**store, planned);
  if (!baseline) return baseline.error();
  return std::move(baseline->runs.front());
}

}  // namespace

void skip_unchanged(launch::Request& request, const policy::Baseline& policy, Narrator& narrator) {
  auto baseline = nearest_baseline(request, policy);
  if (!baseline) {
    narrator.warning(fmt::format("--skip-unchanged: every group is measured: {}", baseline.error().message));
    return;
  }
  request.unchanged_since = std::make_shared<const record::Run>(*std::move(baseline));
}

}  // namespace torchgate::workflow
