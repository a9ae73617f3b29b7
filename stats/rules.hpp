// SPDX-License-Identifier: Apache-2.0
// The table of rules. A new rule is one file, stats/rule_<name>.cpp, and one row in stats/rules.cpp.
#pragma once

#include <span>
#include <string_view>

#include "stats/rule.hpp"

namespace torchgate::stats {

/// All rules, in the order in which messages list them. The first is the default.
std::span<const Rule> rules();

/// nullptr when no rule has this name.
const Rule* find_rule(std::string_view name);

/// True when the rule of this name reads these numbers; false when no rule has the name.
bool rule_reads(std::string_view name, Reads what);

/// The rule of interleaved pairs: it confirms the suspects of the screening rules.
const Rule& paired_rule();

/// The rule of counted metrics: it judges them beside any rule for the times.
const Rule& exact_rule();

}  // namespace torchgate::stats
