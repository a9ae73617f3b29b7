// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/incomplete.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>

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
  if (run.interrupted) return "the run was stopped before its plan was done";
  return "";
}

std::string missing_shards_sentence(const record::Plan& plan) {
  if (plan.missing_shards.empty()) return "";
  std::vector<std::string> groups;
  for (const std::int64_t shard : plan.missing_shards) {
    const auto& of_shard = plan.division.at(static_cast<std::size_t>(shard - 1));
    groups.insert(groups.end(), of_shard.begin(), of_shard.end());
  }
  return fmt::format("{}: what belongs there was not measured and is not judged ({})", which_are_missing(plan),
                     groups.empty() ? "no groups" : fmt::format("{}", fmt::join(groups, ", ")));
}

bool in_a_shard_that_is_there(const record::Plan& plan, const std::string& group) {
  for (std::size_t i = 0; i < plan.division.size(); ++i) {
    if (std::find(plan.division[i].begin(), plan.division[i].end(), group) == plan.division[i].end()) continue;
    const auto shard = static_cast<std::int64_t>(i + 1);
    if (plan.shards > 1) return plan.shard == shard;
    return std::find(plan.missing_shards.begin(), plan.missing_shards.end(), shard) == plan.missing_shards.end();
  }
  return plan.division.empty() || plan.shards == 1;
}

}  // namespace torchgate::gate
