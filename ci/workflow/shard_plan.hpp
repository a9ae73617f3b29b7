// SPDX-License-Identifier: Apache-2.0
// The division of a run's groups among machines, made once and given to all of them (schema torchgate.shards/1).
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ci/policy/policy.hpp"
#include "ci/workflow/effort.hpp"
#include "harness/base/result.hpp"
#include "harness/launch/launcher.hpp"
#include "harness/record/run.hpp"

namespace torchgate::workflow {

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

/// One shard as a user asks for it.
struct ShardChoice {
  std::string shard;                     ///< "2/4"
  std::optional<std::string> plan_file;  ///< that all shards were given
  Effort effort;                         ///< what it says otherwise than the plan is refused
};

/// Makes REQUEST that of one shard: by the plan file, or without one by what every machine knows.
base::Result<void> use_shard(const ShardChoice& choice, launch::Request& request);

/// Divides what REQUEST would measure into SHARDS, by the newest runs here and in the store, and writes that to FILE.
base::Result<ShardPlan> write_shard_plan(const std::filesystem::path& file, std::int64_t shards,
                                         const launch::Request& request, const policy::Policy& policy);

}  // namespace torchgate::workflow
