// SPDX-License-Identifier: Apache-2.0
// The guards of interleaved pairs, for every comparison: what a test says of them does not stand for a reason that the test cannot see.
#pragma once

#include <vector>

#include "ci/gate/judged.hpp"
#include "ci/gate/pairs/pair_inputs.hpp"
#include "ci/policy/case_rules.hpp"
#include "ci/policy/policy.hpp"
#include "harness/record/run.hpp"

namespace torchgate::gate {

struct GuardedPairs {
  const record::Run* run = nullptr;  ///< never nullptr
  /// Nothing else decides: what they left open, by a budget that was spent, is open for that reason.
  bool alone = false;
  /// The cases that they were measured for, where each of them needs an answer, and the before side's evidence; nullptr: none does.
  const std::vector<const record::Case*>* asked = nullptr;
  const SideEvidence* before = nullptr;
  /// What they read and the baseline's run did not have; nullptr: not known, or asked before.
  const PairInputs* inputs = nullptr;
};

/// Each guard behind those that it overrules. Why the comparison is incomplete; empty: the pairs compared all that they were asked.
facts::Fact guard_pairs(std::vector<Judged>& cases, const GuardedPairs& pairs, policy::CasePolicies& policies,
                        const policy::CaseGates& policy, Remarks& remarks);

}  // namespace torchgate::gate
