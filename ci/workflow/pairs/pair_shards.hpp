// SPDX-License-Identifier: Apache-2.0
// The groups of a pair plan, divided among several machines. Each measures whole groups: both sides of a pair run on one machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ci/workflow/pairs/pair_plan_file.hpp"
#include "harness/base/result.hpp"
#include "harness/launch/request.hpp"
#include "harness/record/run.hpp"

namespace torchgate::workflow {

/// Part of the pairs of a plan.
struct PairShard {
  std::int64_t shard = 1;  ///< from 1
  std::int64_t shards = 1;

  bool operator==(const PairShard&) const = default;
};

/// The groups of PLAN's cases in SHARDS parts that take about equally long: by what a process of each side took in both runs, and how many cases of the
/// group are in the plan. It depends on the plan and on the two recorded runs alone, so every machine finds the same division.
std::vector<std::vector<std::string>> divide_pairs(const PairPlanFile& plan, const record::Run& baseline,
                                                   const record::Run& current, std::int64_t shards);

/// Restricts PAIRS to the groups of SHARD. bad_input: the plan has a budget of pairs, which machines that do not see each other's pairs cannot
/// share.
base::Result<void> use_pair_shard(const PairShard& shard, const PairPlanFile& plan, const record::Run& baseline,
                                  const record::Run& current, launch::Request& pairs);

}  // namespace torchgate::workflow
