// SPDX-License-Identifier: Apache-2.0
// What [[case]] tables do to a comparison: which metrics of a case are judged, and what the report says about it.
#pragma once

#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

#include "ci/gate/judged.hpp"
#include "ci/policy/case_rules.hpp"
#include "ci/policy/policy.hpp"
#include "harness/record/case.hpp"

namespace torchgate::gate {

/// The metrics of a case that are judged as time is: the primary one, then the timed ones that its policy names with
/// "warn" or "fail". The primary one is in front, when there is any.
std::vector<const record::Metric*> judged_metrics(const record::Case& definition,
                                                  const policy::CaseSettings& policy_of_case);

/// How many metrics are judged beside the primary ones.
std::size_t metrics_beside_primary(const std::map<std::string_view, const record::Case*>& cases,
                                   policy::CasePolicies& policies);

/// Says in the cases and claims with settings of their own which ones were in force, and beyond which gate a case fails where that is
/// not GATE_OF_ALL.
void say_own_settings(std::vector<Judged>& cases, std::vector<reports::ClaimFinding>& claims,
                      policy::CasePolicies& policies, double gate_of_all);

/// The widest margin that an `equivalent` of CASES rests on, at least AT_LEAST.
double widest_equivalence(const std::vector<Judged>& cases, policy::CasePolicies& policies, double at_least);

}  // namespace torchgate::gate
