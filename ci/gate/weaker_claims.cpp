// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/weaker_claims.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>

#include "ci/gate/evidence/identity.hpp"
#include "reports/facts/about_tests.hpp"

namespace torchgate::gate {
namespace {

using record::Claim;

// They promise the same of the same numbers, with a limit that may differ.
bool same_promise(const Claim& a, const Claim& b) {
  return a.case_name == b.case_name && a.metric == b.metric && a.quantile == b.quantile && a.relation == b.relation &&
         a.per_item == b.per_item && a.limit.has_value() == b.limit.has_value() &&
         (a.limit || (a.reference_case == b.reference_case && a.metric_of_reference() == b.metric_of_reference() &&
                      a.reference_quantile == b.reference_quantile));
}

double limit_of(const Claim& claim) {
  return claim.limit.value_or(1) * claim.ratio;
}

bool is_weaker(const Claim& now, const Claim& was) {
  return was.relation == record::Relation::at_most ? limit_of(now) > limit_of(was) : limit_of(now) < limit_of(was);
}

// The one that promises most; nullptr: none of the group is about the same.
const Claim* strictest_of(const record::Group& group, const Claim& was) {
  const Claim* found = nullptr;
  for (const Claim& each : group.claims)
    if (same_promise(each, was) && (found == nullptr || is_weaker(*found, each))) found = &each;
  return found;
}

bool is_measured(const SideEvidence& side, const std::string& name) {
  const CaseEvidence* const evidence = side.find(name);
  return evidence != nullptr && !evidence->measured.empty();
}

facts::Quantity quantity_of(const Claim& claim, const SideEvidence& side) {
  if (!claim.limit) return {claim.ratio, "1"};
  const record::Metric* const metric = metric_named(*side.find(claim.case_name)->definition, claim.metric);
  return {limit_of(claim), metric == nullptr ? "1" : metric->unit};
}

}  // namespace

reports::ClaimFinding promised_by(const Claim& claim) {
  reports::ClaimFinding finding;
  finding.case_name = claim.case_name;
  finding.reference_case = claim.reference_case;
  finding.metric = claim.metric;
  finding.text = claim.text;
  finding.promised_ratio = claim.ratio;
  finding.at_most = claim.relation == record::Relation::at_most;
  return finding;
}

std::vector<reports::ClaimFinding> weaker_claims(const record::Run& before, const SideEvidence& after) {
  std::unordered_map<std::string_view, const record::Group*> groups;
  for (const record::Group& group : after.run().groups) groups.emplace(group.name, &group);
  std::vector<reports::ClaimFinding> findings;
  for (const record::Group& group : before.groups) {
    const auto now = groups.find(group.name);
    if (now == groups.end()) continue;  // its cases are missing
    for (const Claim& was : group.claims) {
      if (was.not_claimed || !is_measured(after, was.case_name)) continue;
      if (!was.limit && !is_measured(after, was.reference_case)) continue;
      const Claim* const is = strictest_of(*now->second, was);
      if (is != nullptr && !is_weaker(*is, was)) continue;
      reports::ClaimFinding finding = promised_by(was);
      finding.state = reports::ClaimState::broken;
      const facts::Quantity limit = quantity_of(was, after);
      const auto& loosened = finding.at_most ? facts::claim_raised : facts::claim_lowered;
      finding.reasons = {is == nullptr ? facts::claim_removed(limit) : loosened(limit, quantity_of(*is, after))};
      findings.push_back(std::move(finding));
    }
  }
  return findings;
}

}  // namespace torchgate::gate
