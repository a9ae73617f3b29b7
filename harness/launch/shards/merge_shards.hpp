// SPDX-License-Identifier: Apache-2.0
// The shards of one plan as one run.
#pragma once

#include <string>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/record/run.hpp"

namespace torchgate::launch {

struct ShardFile {
  std::string name;  ///< for messages
  record::Run run;
};

/// One run of all processes of the shards, in the order of their numbers, whatever the order of the files: the same files give
/// the same run. Missing shards are in Plan::missing_shards. Facts that differ between the machines are all
/// kept ("kernel (shard 2)"); of two results of a doctor's check the worse one is used.
///
/// bad_input, naming the files: a run that is not a shard; shards of different plans (shard plans or pair plans), commits or sides; a
/// duplicate shard; a case or a group in two shards, or in the wrong shard; different versions of a library of a suite.
/// no_verdict: they were measured on different hosts or devices.
base::Result<record::Run> merge_shards(std::vector<ShardFile> shards);

}  // namespace torchgate::launch
