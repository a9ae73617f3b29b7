// SPDX-License-Identifier: Apache-2.0
// How rule_paired judges under the options of a rule: for callers that forecast what it will say (stats/pair_allocation.hpp).
#pragma once

#include "stats/interleaved.hpp"
#include "stats/rule.hpp"

namespace torchgate::stats {

InterleavedOptions interleaved_options(const RuleOptions& options);

}  // namespace torchgate::stats
