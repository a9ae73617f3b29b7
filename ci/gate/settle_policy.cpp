// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/settle_policy.hpp"

#include <utility>

#include "ci/gate/action.hpp"
#include "ci/gate/own_settings.hpp"
#include "ci/gate/waive.hpp"

namespace torchgate::gate {

void settle_policy(std::vector<Judged>& cases, std::vector<reports::ClaimFinding>& claims, const SideEvidence& before,
                   const SideEvidence& after, policy::CasePolicies& policies, const policy::Policy& policy,
                   Remarks& remarks) {
  for (Judged& judged : cases) settle_action(judged, policies.of(judged.case_name()), policy);
  std::vector<reports::Doubt> doubts;
  for (const std::string& doubt : policy.doubts) doubts.emplace_back(doubt, reports::DoubtKind::policy);
  remarks.doubts.insert(remarks.doubts.begin(), doubts.begin(), doubts.end());
  remarks.notes.insert(remarks.notes.end(), policy.notes.begin(), policy.notes.end());
  if (!policy.case_rules.empty()) {
    for (std::string& one : policies.notes(cases_of(before, after))) remarks.notes.push_back(std::move(one));
    say_own_settings(cases, claims, policies);
  }
  apply_waivers(cases, before, after, policy, remarks);
}

}  // namespace torchgate::gate
