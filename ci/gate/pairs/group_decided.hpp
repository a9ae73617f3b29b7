// SPDX-License-Identifier: Apache-2.0
// While pairs are measured: when a group needs no more of them.
#pragma once

#include <set>
#include <string_view>

#include "ci/gate/pairs/pair_plan.hpp"
#include "ci/policy/policy.hpp"
#include "harness/record/run.hpp"

namespace torchgate::gate {

/// Whether no more pairs of this case would change any of its verdicts: of each metric that is judged, and of its tails.
bool case_decided(const record::Case& definition, const CaseEvidence& before, const CaseEvidence& after,
                  const PairPlan& plan, const policy::Gate& policy_of_case);

/// The groups of which more pairs could change a verdict. A case that failed, was wrong or has no primary metric waits for
/// nothing. `policy` is the project's.
std::set<std::string_view> undecided_groups(const record::Run& so_far, const policy::CaseGates& policy);

/// The same for the suspects of a confirmation: not where only cases are undecided that the screen left open.
std::set<std::string_view> undecided_suspects(const record::Run& so_far, const policy::CaseGates& policy);

}  // namespace torchgate::gate
