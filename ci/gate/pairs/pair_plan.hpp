// SPDX-License-Identifier: Apache-2.0
// What was fixed before the first pair was measured, and what one case's pairs say under it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ci/gate/evidence/evidence.hpp"
#include "ci/policy/policy.hpp"
#include "stats/rule.hpp"

namespace torchgate::gate {

/// It stands in the record.
struct PairPlan {
  std::size_t family = 1;  ///< m: the verdicts that share alpha (of all metrics judged), whatever came back of them
  std::size_t last = 48;   ///< pairs at most
  double no_harm_level = 0.95;  ///< of the interval that ends pairs early with "no harm"
};

/// m for these cases of a run: a verdict for each metric that their policies judge, and two for tails where they are gated.
std::size_t family_of(const record::Run& run, const std::vector<std::string>& cases, const policy::Policy& policy);

/// `policy` is the project's.
PairPlan pair_plan(const record::Run& pairs, const policy::Policy& policy);

/// after - before of the log values (larger is worse), for the pairs of which both processes measured the case, in the
/// order measured.
std::vector<double> pair_differences(const ProcessValues& before, const ProcessValues& after);

/// The plan as it is for one case: pairs that lost a process leave fewer, and the last look comes with the last of them.
PairPlan plan_of_case(const PairPlan& plan, const CaseEvidence& before, const CaseEvidence& after, std::size_t pairs);

/// Sets in OPTIONS what PLAN fixes: every judgement of pairs, of medians and of tails, takes it from here.
void apply(const PairPlan& plan, stats::RuleOptions& options);

/// What rule_paired says of them under the case's own policy.
stats::RuleAnswer judge_case_pairs(const std::vector<double>& differences, const PairPlan& plan,
                                   const policy::Policy& own);

}  // namespace torchgate::gate
