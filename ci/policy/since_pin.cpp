// SPDX-License-Identifier: Apache-2.0
#include "ci/policy/since_pin.hpp"

#include <algorithm>

namespace torchgate::policy {

void settle_since(CaseSettings& settings) {
  if (!settings.judges_since) return;
  settings.latency = settings.since;
  // Pairs end where a change beyond the margin of "equivalent" is excluded: a wider one would excuse a case that spent its budget.
  settings.equivalence = std::min(settings.equivalence, settings.since);
}

Policy since_pin(Policy policy) {
  policy.judges_since = true;
  policy.rule = "paired";
  policy.confirm = Confirm::regressions;
  policy.budget = policy.since_budget;
  settle_since(policy);
  return policy;
}

Policy pairs_alone(Policy policy) {
  policy.rule = "paired";
  return policy;
}

}  // namespace torchgate::policy
