// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/incomplete.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <set>
#include <vector>

namespace torchgate::gate {
namespace {

std::string which_are_missing(const record::Plan& plan) {
  const bool one = plan.missing_shards.size() == 1;
  return fmt::format("{} {} of {} {} missing", one ? "shard" : "shards", fmt::join(plan.missing_shards, ", "),
                     plan.division.size(), one ? "is" : "are");
}

}  // namespace

std::string incomplete_because(const record::Run& run) {
  const record::Plan& plan = run.plan;
  if (!plan.missing_shards.empty()) return "INCOMPLETE: " + which_are_missing(plan);
  if (plan.shards > 1)
    return fmt::format("INCOMPLETE: this is shard {} of {} alone (`torchgate merge` makes one run of all)", plan.shard,
                       plan.shards);
  if (run.interrupted) return "the run was stopped before its plan was complete";
  return "";
}

std::string missing_shards_sentence(const record::Plan& plan) {
  if (plan.missing_shards.empty()) return "";
  std::vector<std::string> groups;
  for (const std::int64_t shard : plan.missing_shards) {
    const auto& of_shard = plan.division.at(static_cast<std::size_t>(shard - 1));
    groups.insert(groups.end(), of_shard.begin(), of_shard.end());
  }
  return fmt::format("{}: its groups were not measured and are not judged ({})", which_are_missing(plan),
                     groups.empty() ? "no groups" : fmt::format("{}", fmt::join(groups, ", ")));
}

std::string not_planned_sentence(std::int64_t cases, const record::Plan& plan, std::string_view of) {
  const bool one = cases == 1;
  std::vector<std::string> because;
  if (!plan.filter.empty() && plan.filter != record::Plan{}.filter) because.push_back("filter " + plan.filter);
  if (plan.profile != record::Plan{}.profile) because.push_back("profile " + plan.profile);
  if (plan.shards > 1) because.push_back(fmt::format("shard {} of {}", plan.shard, plan.shards));
  if (because.empty()) because = {"profile " + plan.profile, fmt::format("suites {}", fmt::join(plan.suites, " "))};
  return fmt::format("{} {} of {} {} not judged: this run's plan leaves {} out ({})", cases, one ? "case" : "cases", of,
                     one ? "was" : "were", one ? "it" : "them", fmt::join(because, ", "));
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
