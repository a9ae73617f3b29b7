// SPDX-License-Identifier: Apache-2.0
// The files of several shards as one run.
#include "harness/launch/shards/merge_shards.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "harness/launch/shards/division.hpp"
#include "harness/record/codec.hpp"
#include "tests/fuzz/target.hpp"

using namespace torchgate;

TORCHGATE_FUZZ_TARGET(merge_shards) {
  std::vector<launch::ShardFile> shards;
  for (const std::string_view part : fuzz::parts_of(input, 4)) {
    auto run = record::run_from_json(part, "input");
    if (!run) return;
    (void)launch::group_seconds(*run);
    shards.push_back({"shard " + std::to_string(shards.size()), *std::move(run)});
  }
  std::vector<launch::ShardFile> backwards = shards;
  std::reverse(backwards.begin(), backwards.end());
  const auto merged = launch::merge_shards(std::move(shards));
  if (!merged) return fuzz::require(!merged.error().message.empty(), "an error has a message");
  fuzz::accepted();
  const std::string text = record::to_json(*merged);
  const auto again = record::run_from_json(text, "written back");
  fuzz::require(again.ok(), "a merged run can be stored: " + (again ? "" : again.error().message));
  const auto same = launch::merge_shards(std::move(backwards));
  fuzz::require(same.ok() && record::to_json(*same) == text, "whatever the order of the files, the run is the same");
}
