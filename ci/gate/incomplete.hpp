// SPDX-License-Identifier: Apache-2.0
// Runs that do not hold their whole plan: stopped, a shard alone, or merged without some of the shards.
#pragma once

#include <string>

#include "harness/record/run.hpp"

namespace torchgate::gate {

/// Why RUN does not hold its whole plan, as the beginning of a sentence; empty when it does. What is not there is neither
/// passed nor missing, so such a run never passes.
std::string incomplete_because(const record::Run& run);

/// What was left out of a merged run, as a sentence; empty when nothing was.
std::string missing_shards_sentence(const record::Plan& plan);

/// The group is in a shard that RUN holds, or in no shard although RUN was to have all that its suites list.
bool in_a_shard_that_is_there(const record::Plan& plan, const std::string& group);

}  // namespace torchgate::gate
