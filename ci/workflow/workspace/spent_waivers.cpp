// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/workspace/spent_waivers.hpp"

#include <algorithm>
#include <cstddef>

#include "ci/git/repository.hpp"

namespace torchgate::workflow {

policy::Policy with_spent_waivers(policy::Policy policy, const record::Run& baseline) {
  constexpr std::size_t most_commits = 5000;  // the default waiver holds for 90 days
  const auto has_commit = [](const policy::Waiver& waiver) { return waiver.commit.has_value(); };
  const auto& commit = baseline.sides.front().source.commit;
  if (!commit || std::none_of(policy.waivers.begin(), policy.waivers.end(), has_commit)) return policy;
  const auto repository = git::Repository::open(".");
  if (!repository) return policy;
  const auto history = repository->ancestors(*commit, most_commits, git::Walk::all_parents);
  if (!history) return policy;
  for (policy::Waiver& waiver : policy.waivers) {
    const auto is_its_commit = [&](const std::string& each) { return policy::is_commit_of(waiver, each); };
    waiver.in_baseline = std::any_of(history->begin(), history->end(), is_its_commit);
  }
  return policy;
}

}  // namespace torchgate::workflow
