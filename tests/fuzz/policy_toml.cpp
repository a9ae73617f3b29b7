// SPDX-License-Identifier: Apache-2.0
// torchgate.toml, and the policies of single cases that follow from it.
#include <cmath>
#include <map>

#include "ci/policy/case_rules.hpp"
#include "ci/policy/policy.hpp"
#include "ci/policy/policy_changes.hpp"
#include "tests/fuzz/target.hpp"

using namespace torchgate;

TORCHGATE_FUZZ_TARGET(policy_toml) {
  policy::Policy policy;
  const auto applied = policy::apply_policy_text(policy, input, "/project/torchgate.toml");
  if (!applied) {
    fuzz::require(!applied.error().message.empty(), "an error has a message");
    fuzz::require(policy == policy::Policy{}, "on an error the policy is as it was");
    return;
  }
  fuzz::accepted();
  for (const double share : {policy.latency, policy.margin, policy.equivalence, policy.alpha, policy.candidate_p})
    fuzz::require(std::isfinite(share) && share >= 0, "a share is a number that is not negative");
  fuzz::require(policy.pairs >= 1 && policy.processes >= 1, "there is something to measure");
  policy::Policy again;
  const auto repeated = policy::apply_policy_text(again, input, "/project/torchgate.toml");
  fuzz::require(repeated.ok() && policy::policy_changes(policy, again).empty(), "the same text is the same policy");
  (void)policy::policy_changes(policy::Policy{}, policy);
  policy::CasePolicies cases(policy);
  const std::string name = "g/one/folded/device:cpu";
  (void)cases.of(name);
  (void)cases.own_settings(name);
  const record::Case definition{};
  (void)cases.notes({{name, &definition}});
}
