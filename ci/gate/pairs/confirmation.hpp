// SPDX-License-Identifier: Apache-2.0
// Interleaved pairs of one case: what they say, for `ab` and for the confirmation of suspects, and when to stop.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ci/gate/evidence/evidence.hpp"
#include "ci/policy/policy.hpp"
#include "reports/report.hpp"
#include "stats/rule.hpp"

namespace torchgate::gate {

/// What was fixed before the first pair was measured, and stands in the record.
struct PairPlan {
  std::size_t family = 1;  ///< m: the verdicts that share alpha (of all metrics judged), whatever came back of them
  std::size_t last = 48;   ///< pairs at most
};
/// m for these cases of a run: a verdict for each metric that their policies judge, and two for tails where they are gated.
std::size_t family_of(const record::Run& run, const std::vector<std::string>& cases, const policy::Policy& policy);

/// `policy` is the project's; in what follows it is the case's own, but for `group_decided`.
PairPlan pair_plan(const record::Run& pairs, const policy::Policy& policy);

/// after - before of the log values (larger is worse), for the pairs of which both processes measured the case, in the
/// order measured.
std::vector<double> pair_differences(const TimedEvidence& before, const TimedEvidence& after);

/// The plan as it is for one case: pairs that lost a process leave fewer, and the last look comes with the last of them.
PairPlan plan_of_case(const PairPlan& plan, const CaseEvidence& before, const CaseEvidence& after, std::size_t pairs);

/// What rule_paired says of them.
stats::RuleAnswer judge_case_pairs(const std::vector<double>& differences, const PairPlan& plan,
                                   const policy::Policy& policy);

/// The same as the report shows it.
reports::Confirmation as_confirmation(const stats::RuleAnswer& answer, const record::Metric& metric);

/// What a suspect does that pairs did not decide, or that no pairs were measured of. `beyond_gate`: its whole interval lies
/// there, at alpha / family. What pairs said so far stays in finding.confirmation.
void apply_unconfirmed(reports::Finding& finding, bool beyond_gate, std::size_t family, const std::string& because,
                       const policy::Policy& policy);

/// Makes the pairs' answer the finding's own.
void apply_pairs(reports::Finding& finding, const stats::RuleAnswer& answer, const policy::Policy& policy);

/// While pairs are measured: whether more pairs of this group would change any verdict. A case that failed, was wrong or
/// has no primary metric waits for nothing.
bool group_decided(const record::Run& so_far, const std::string& group, const policy::Policy& policy);

/// The groups that group_decided says no of, looked for all at once.
std::set<std::string_view> undecided_groups(const record::Run& so_far, const policy::Policy& policy);

}  // namespace torchgate::gate
