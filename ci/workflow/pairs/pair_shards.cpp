// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/pairs/pair_shards.hpp"

#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "harness/launch/shards/division.hpp"

namespace torchgate::workflow {
namespace {

// Where no process of a group has a time. Only relative to the others.
constexpr double unknown_group_s = 1;

// How much of each group the plan asks for: the cases that are in the plan, and all of them.
struct CasesOfGroup {
  std::int64_t planned = 0;
  std::int64_t all = 0;
};

std::map<std::string, CasesOfGroup> planned_groups(const PairPlanFile& plan, const record::Run& current) {
  const std::vector<std::string> cases = plan.all_cases();
  const std::set<std::string_view> asked(cases.begin(), cases.end());
  std::map<std::string, CasesOfGroup> groups;
  for (const record::Case& definition : current.cases) {
    CasesOfGroup& group = groups[definition.group];
    group.planned += asked.contains(definition.name) ? 1 : 0;
    group.all += definition.skipped ? 0 : 1;
  }
  std::erase_if(groups, [](const auto& group) { return group.second.planned == 0; });
  return groups;
}

// Seconds of a pair: without a time of one side, twice the other's.
double seconds_of_pair(const std::string& group, const std::map<std::string, double>& before,
                       const std::map<std::string, double>& after) {
  const auto was = before.find(group);
  const auto is = after.find(group);
  if (was == before.end() && is == after.end()) return unknown_group_s;
  if (was == before.end()) return 2 * is->second;
  return was->second + (is == after.end() ? was->second : is->second);
}

}  // namespace

std::vector<std::vector<std::string>> divide_pairs(const PairPlanFile& plan, const record::Run& baseline,
                                                   const record::Run& current, std::int64_t shards) {
  const auto before = launch::group_seconds(baseline);
  const auto after = launch::group_seconds(current);
  std::vector<launch::GroupWeight> weights;
  for (const auto& [group, cases] : planned_groups(plan, current)) {
    const double share = cases.all == 0 ? 1.0 : static_cast<double>(cases.planned) / static_cast<double>(cases.all);
    weights.push_back({group, share * seconds_of_pair(group, before, after)});
  }
  return launch::divide(std::move(weights), shards);
}

base::Result<void> use_pair_shard(const PairShard& shard, const PairPlanFile& plan, const record::Run& baseline,
                                  const record::Run& current, launch::Request& pairs) {
  if (shard.shards == 1) return {};
  if (plan.budget_pairs)
    return base::Error{base::ErrorCode::bad_input,
                       "--shard: the budget of this pair plan is a number of pairs, which shards cannot share; set "
                       "gate.budget to a time, such as \"30m\", which each shard may take"};
  pairs.plan.shard = shard.shard;
  pairs.plan.shards = shard.shards;
  pairs.plan.division = divide_pairs(plan, baseline, current, shard.shards);
  return {};
}

}  // namespace torchgate::workflow
