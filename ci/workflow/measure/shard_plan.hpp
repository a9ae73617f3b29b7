// SPDX-License-Identifier: Apache-2.0
// The shard plan: the division of a run's groups among machines, made once and shared by all of them (schema
// torchgate.shards/1).
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ci/policy/policy.hpp"
#include "ci/workflow/measure/effort.hpp"
#include "harness/base/result.hpp"
#include "harness/launch/launcher.hpp"
#include "harness/record/run.hpp"

namespace torchgate::workflow {

struct ShardPlan {
  record::Plan plan;  ///< profile, filter, processes, --warmup, --samples, seed, shards and division
  std::map<std::string, double> seconds;      ///< of one process of each group, used for the division
  std::map<std::string, std::string> source;  ///< the source of each number: a run's id, or "estimate"

  bool operator==(const ShardPlan&) const = default;
};

std::string to_json(const ShardPlan& plan);
base::Result<ShardPlan> shard_plan_from_json(std::string_view text, const std::string& where);
base::Result<ShardPlan> load_shard_plan(const std::filesystem::path& file);

/// Divides the groups of REQUEST: by the time of each group in the newest run of PAST (newest first) that contains it,
/// else by its suite's estimate.
ShardPlan make_shard_plan(const launch::Request& request, const launch::Forecast& forecast, std::int64_t shards,
                          const std::vector<record::Run>& past);

/// "2/4" as shard 2 of 4. bad_input otherwise.
base::Result<std::pair<std::int64_t, std::int64_t>> parse_shard(const std::string& text);

/// One shard, as requested by a user.
struct ShardChoice {
  std::string shard;                     ///< "2/4"
  std::optional<std::string> plan_file;  ///< shared by all shards
  Effort effort;                         ///< a value that contradicts the plan is refused
};

/// Restricts REQUEST to one shard: by the plan file, or without one by values that are the same on every machine.
base::Result<void> use_shard(const ShardChoice& choice, launch::Request& request);

/// Divides the groups of REQUEST into SHARDS by the newest runs here and in the store, and writes the plan to FILE.
base::Result<ShardPlan> write_shard_plan(const std::filesystem::path& file, std::int64_t shards,
                                         const launch::Request& request, const policy::Baseline& policy);

}  // namespace torchgate::workflow
