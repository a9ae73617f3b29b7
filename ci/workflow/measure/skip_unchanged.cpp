// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/measure/skip_unchanged.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "baselines/open_store.hpp"
#include "baselines/store.hpp"
#include "ci/git/remote.hpp"
#include "ci/workflow/baseline/baseline_of.hpp"
#include "ci/workflow/workspace/ci_pull_request.hpp"

namespace torchgate::workflow {
namespace {

base::Result<record::Run> nearest_baseline(const launch::Request& request, const policy::Baseline& policy) {
  const auto store = baselines::open_store(policy.store, baselines::OpenMode::existing);
  if (!store) return store.error();
  record::Run planned;  // what the choice depends on: commit and host
  planned.machine = machine::collect_machine(launch::sources_of(request));
  planned.sides.push_back({"run", request.sides.front().source, {}});
  // As `gate` chooses it: what is the same as in an earlier attempt of this push says nothing about the commit before.
  BaselineChoice choice;
  choice.skip_own_commit = is_push(git::environment_variable);
  auto baseline = choose_baseline(**store, planned, choice);
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
