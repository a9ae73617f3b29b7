// SPDX-License-Identifier: Apache-2.0
// The plan of `run --shards`, as each shard reads it.
#include "ci/workflow/measure/shard_plan.hpp"

#include "tests/fuzz/target.hpp"

using namespace torchgate;

TORCHGATE_FUZZ_TARGET(shard_plan) {
  const auto plan = workflow::shard_plan_from_json(input, "input");
  if (!plan) return fuzz::require(!plan.error().message.empty(), "an error has a message");
  fuzz::accepted();
  const auto again = workflow::shard_plan_from_json(workflow::to_json(*plan), "written back");
  fuzz::require(again.ok(), "what was read can be read again: " + (again ? "" : again.error().message));
  fuzz::require(*again == *plan, "what was read again is what was read");
}
