// SPDX-License-Identifier: Apache-2.0
#include "ci/policy/since_pin.hpp"

#include <algorithm>
#include <utility>

namespace torchgate::policy {

void settle_gate(CaseSettings& settings) {
  const CaseSettings defaults;
  if (settings.judges_since) settings.latency = settings.since;
  if (settings.margin == defaults.margin) settings.margin = std::min(settings.margin, settings.latency);
  if (settings.equivalence == defaults.equivalence || settings.judges_since)
    settings.equivalence = std::min(settings.equivalence, settings.latency);
}

CaseSettings settled_gate(const CaseSettings& settings) {
  CaseSettings settled = settings;
  settle_gate(settled);
  return settled;
}

Policy since_pin(Policy policy, std::optional<std::string> name) {
  policy.pin = std::move(name);
  policy.judges_since = true;
  policy.rule = "paired";
  policy.confirm = Confirm::regressions;
  policy.budget = policy.since_budget;
  settle_gate(policy);
  return policy;
}

Policy pairs_alone(Policy policy) {
  policy.rule = "paired";
  return policy;
}

}  // namespace torchgate::policy
