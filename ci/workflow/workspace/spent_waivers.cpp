// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/workspace/spent_waivers.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ci/git/repository.hpp"

namespace torchgate::workflow {

namespace {

constexpr std::size_t most_commits = 5000;  // the default waiver holds for 90 days

bool has(const std::vector<std::string>& history, const policy::Waiver& waiver) {
  return std::any_of(history.begin(), history.end(),
                     [&](const std::string& each) { return policy::is_commit_of(waiver, each); });
}

// All that RUN's commit has behind it; absent: not known, or more than are looked at.
std::optional<std::vector<std::string>> whole_history(const git::Repository& repository, const record::Run& run) {
  const auto& commit = run.sides.back().source.commit;
  const auto shallow = repository.is_shallow();
  if (!commit || !shallow || *shallow) return std::nullopt;
  auto history = repository.ancestors(*commit, most_commits, git::Walk::all_parents);
  if (!history || history->size() >= most_commits) return std::nullopt;
  return *std::move(history);
}

// Not only of the newest run: it may have lost a case, and then an older one's numbers are compared.
void mark_in_older(std::vector<policy::Waiver>& waivers, const git::Repository& repository,
                   const std::vector<const record::Run*>& baseline) {
  std::set<std::string> known;
  for (std::size_t i = 1; i < baseline.size(); ++i) {
    const auto& commit = baseline[i]->sides.front().source.commit;
    if (!commit || !known.insert(*commit).second) continue;
    const auto history = repository.ancestors(*commit, most_commits, git::Walk::all_parents);
    if (!history) continue;
    for (policy::Waiver& waiver : waivers)
      if (has(*history, waiver)) waiver.in_older.push_back(*commit);
  }
}

}  // namespace

policy::Policy with_spent_waivers(policy::Policy policy, const std::vector<const record::Run*>& baseline,
                                  const record::Run& current, const std::optional<std::string>& head) {
  const auto has_commit = [](const policy::Waiver& waiver) { return waiver.commit.has_value(); };
  const auto& commit = baseline.front()->sides.front().source.commit;
  if (!commit || std::none_of(policy.waivers.begin(), policy.waivers.end(), has_commit)) return policy;
  const auto repository = git::Repository::open(".");
  if (!repository) return policy;
  const auto history = repository->ancestors(*commit, most_commits, git::Walk::all_parents);
  if (!history) return policy;
  mark_in_older(policy.waivers, *repository, baseline);
  bool all_known = true;
  for (policy::Waiver& waiver : policy.waivers) {
    waiver.in_baseline = has(*history, waiver);
    all_known = all_known && (!waiver.commit || waiver.in_baseline);
  }
  if (all_known || history->size() >= most_commits) return policy;
  const auto of_change = whole_history(*repository, current);
  for (policy::Waiver& waiver : policy.waivers) {
    if (!waiver.commit || waiver.in_baseline || !of_change) continue;
    const bool is_of_head = head && (policy::is_commit_of(waiver, *head) || waiver.commit->starts_with(*head));
    waiver.elsewhere = !is_of_head && !has(*of_change, waiver);
  }
  return policy;
}

}  // namespace torchgate::workflow
