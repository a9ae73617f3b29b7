// SPDX-License-Identifier: Apache-2.0
// The plan of `gate --pair-plan`, as `ab --pair-plan` reads it.
#include "ci/workflow/pairs/pair_plan_file.hpp"

#include "tests/fuzz/target.hpp"

using namespace torchgate;

TORCHGATE_FUZZ_TARGET(pair_plan_file) {
  const auto plan = workflow::pair_plan_from_json(input, "input");
  if (!plan) return fuzz::require(!plan.error().message.empty(), "an error has a message");
  fuzz::accepted();
  const auto again = workflow::pair_plan_from_json(workflow::to_json(*plan), "written back");
  fuzz::require(again.ok(), "what was read can be read again: " + (again ? "" : again.error().message));
  fuzz::require(*again == *plan, "what was read again is what was read");
}
