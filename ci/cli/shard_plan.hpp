// SPDX-License-Identifier: Apache-2.0
// The division of a run's groups among machines, made once and given to all of them (schema torchgate.shards/1).
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "ci/cli/arguments.hpp"
#include "ci/policy/policy.hpp"
#include "harness/base/result.hpp"
#include "harness/launch/launcher.hpp"
#include "harness/record/run.hpp"

namespace torchgate::cli {

struct ShardPlan {
  record::Plan plan;                          ///< profile, filter, processes, seed, shards and division
  std::map<std::string, double> seconds;      ///< of one process of each group, as it was divided by
  std::map<std::string, std::string> source;  ///< where each number is from: a run's id, or "estimate"

  bool operator==(const ShardPlan&) const = default;
};

std::string to_json(const ShardPlan& plan);
base::Result<ShardPlan> shard_plan_from_json(std::string_view text, const std::string& where);
base::Result<ShardPlan> load_shard_plan(const std::filesystem::path& file);

/// Divides what REQUEST would measure: by what each group took in the newest of PAST (newest first) that has it, else by
/// its suite's estimate.
ShardPlan make_shard_plan(const launch::Request& request, const launch::Forecast& forecast, std::int64_t shards,
                          const std::vector<record::Run>& past);

/// "2/4" as shard 2 of 4. bad_input otherwise.
base::Result<std::pair<std::int64_t, std::int64_t>> parse_shard(const std::string& text);

/// Makes REQUEST that of one shard: by the plan file, or without one by what every machine knows.
base::Result<void> use_shard(const RunCommand& command, launch::Request& request);

/// `run --shards N --plan FILE`: writes the division and says what it is. What it says is returned.
base::Result<std::string> write_shard_plan(const RunCommand& command, const launch::Request& request,
                                           const policy::Policy& policy);

}  // namespace torchgate::cli
