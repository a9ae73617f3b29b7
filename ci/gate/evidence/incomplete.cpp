// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/incomplete.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "harness/base/first_line.hpp"
#include "harness/record/imported.hpp"
#include "reports/facts/about_pairs.hpp"
#include "reports/facts/about_runs.hpp"

namespace torchgate::gate {
namespace {

facts::Fact which_are_missing(const record::Plan& plan) {
  facts::Names shards;
  for (const std::int64_t shard : plan.missing_shards) shards.push_back(std::to_string(shard));
  return facts::shards_missing(std::move(shards), plan.division.size());
}

const std::vector<std::string>& groups_of(const record::Plan& plan, std::int64_t shard) {
  return plan.division.at(static_cast<std::size_t>(shard - 1));
}

facts::Names groups_of_missing_shards(const record::Plan& plan) {
  facts::Names groups;
  for (const std::int64_t shard : plan.missing_shards) {
    const auto& of_shard = groups_of(plan, shard);
    groups.insert(groups.end(), of_shard.begin(), of_shard.end());
  }
  return groups;
}

}  // namespace

facts::Fact incomplete_because(const record::Run& run) {
  const record::Plan& plan = run.plan;
  if (!plan.missing_shards.empty()) return facts::incomplete(which_are_missing(plan));
  if (plan.shards > 1) return facts::incomplete(facts::shard_alone(plan.shard, plan.shards));
  return run.interrupted ? facts::this_run_stopped() : suites_not_listed(run);
}

facts::Fact suites_not_listed(const record::Run& run) {
  if (record::is_imported(run)) return {};
  const auto judged = static_cast<std::int64_t>(run.sides.size()) - 1;
  std::set<std::string> suites;
  std::string first;
  for (const record::Process& process : run.processes) {
    if (process.side != judged || !process.group.empty() || process.status == record::ProcessStatus::ok) continue;
    if (suites.empty()) first = base::first_line(process.message);
    suites.insert(process.suite);
  }
  if (suites.empty()) return {};
  return facts::incomplete(facts::suites_not_listed({suites.begin(), suites.end()}, std::move(first)));
}

facts::Fact missing_shards(const record::Plan& plan) {
  if (plan.missing_shards.empty()) return {};
  facts::Names groups = groups_of_missing_shards(plan);
  return groups.empty() ? facts::no_groups_not_measured(which_are_missing(plan))
                        : facts::groups_not_measured(which_are_missing(plan), std::move(groups));
}

facts::Fact groups_without_pairs(const record::Plan& plan) {
  facts::Names groups = groups_of_missing_shards(plan);
  return groups.empty() ? facts::Fact() : facts::groups_without_pairs(std::move(groups), which_are_missing(plan));
}

facts::Fact missing_shard_of(const record::Plan& plan, std::string_view group) {
  for (const std::int64_t shard : plan.missing_shards) {
    const auto& of_shard = groups_of(plan, shard);
    if (std::find(of_shard.begin(), of_shard.end(), group) != of_shard.end())
      return facts::shards_missing({std::to_string(shard)}, plan.division.size());
  }
  return {};
}

facts::Fact not_planned(std::int64_t cases, const record::Plan& plan, std::string_view of) {
  facts::Facts because;
  if (!plan.filter.empty() && plan.filter != record::Plan{}.filter) because.push_back(facts::by_filter(plan.filter));
  if (plan.profile != record::Plan{}.profile) because.push_back(facts::by_profile(plan.profile));
  if (plan.shards > 1) because.push_back(facts::by_shard(plan.shard, plan.shards));
  if (because.empty()) because = {facts::by_profile(plan.profile), facts::by_suites(plan.suites)};
  return facts::not_planned(cases, std::string(of), std::move(because));
}

PlannedGroups::PlannedGroups(const record::Plan& plan) : others_(plan.division.empty() || plan.shards == 1) {
  const std::set<std::int64_t> missing(plan.missing_shards.begin(), plan.missing_shards.end());
  for (std::size_t i = 0; i < plan.division.size(); ++i) {
    const auto shard = static_cast<std::int64_t>(i + 1);
    const bool is_there = plan.shards > 1 ? plan.shard == shard : !missing.contains(shard);
    for (const std::string& group : plan.division[i]) divided_.emplace(group, is_there);
  }
}

bool PlannedGroups::has(std::string_view group) const {
  const auto found = divided_.find(group);
  return found == divided_.end() ? others_ : found->second;
}

}  // namespace torchgate::gate
