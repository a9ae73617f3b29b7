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
/// the same run. Shards that are not there are in Plan::missing_shards. What differs between the machines stands beside each
/// other ("kernel (shard 2)"); of two answers of the doctor the worse one counts.
///
/// bad_input, naming the files: a run that is no shard; shards of different plans, commits or sides; the same shard twice;
/// a case or a group in two shards, or in a shard whose it is not; a library of a suite that is not the same in all of them.
/// no_verdict: they were measured on different hosts or devices.
base::Result<record::Run> merge_shards(std::vector<ShardFile> shards);

}  // namespace torchgate::launch
