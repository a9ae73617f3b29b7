// SPDX-License-Identifier: Apache-2.0
// The policy of `gate --since NAME`: of the change since a pin, in the place of that since the baseline.
#pragma once

#include "ci/policy/policy.hpp"

namespace torchgate::policy {

/// POLICY for judging the change since the pin NAME: pairs alone decide (rule "paired"), for as long as gate.since_budget; gate.since is in the
/// place of gate.latency, for each case by its own [[case]] tables, and no `equivalent` is wider than it.
Policy since_pin(Policy policy, std::optional<std::string> name = {});

/// POLICY for a baseline of another machine: pairs alone decide (rule "paired"), under its other settings.
Policy pairs_alone(Policy policy);

/// The last step for the settings of one case, after its [[case]] tables: of since_pin() the gate is gate.since; and the defaults of the margin and
/// of `equivalent` are at most the gate, since a wider one would call a slow-down of the gate's size no change.
void settle_gate(CaseSettings& settings);
/// A copy of SETTINGS after that step.
CaseSettings settled_gate(const CaseSettings& settings);

}  // namespace torchgate::policy
