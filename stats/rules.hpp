// SPDX-License-Identifier: Apache-2.0
// The table of rules: name -> rule. A new rule is one file and one row.
#pragma once

#include <span>
#include <string_view>

#include "stats/rule.hpp"

namespace torchgate::stats {

/// default, textbook, welch, history, paired, exact: in the order of the documentation.
std::span<const Rule> rules();

/// nullptr when there is none of this name.
const Rule* find_rule(std::string_view name);

}  // namespace torchgate::stats
