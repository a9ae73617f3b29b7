// SPDX-License-Identifier: Apache-2.0
// What [[case]] tables do to a comparison: which metrics of a case are judged, how much a finding may do, and what the report
// says about it.
#pragma once

#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

#include "ci/policy/case_rules.hpp"
#include "ci/policy/policy.hpp"
#include "harness/record/case.hpp"
#include "reports/report.hpp"

namespace torchgate::gate {

/// The metrics of a case that are judged as time is: the primary one, then the timed ones that its policy names with
/// "warn" or "fail". The primary one is in front, when there is any.
std::vector<const record::Metric*> judged_metrics(const record::Case& definition, const policy::Policy& policy_of_case);

/// How many metrics are judged beside the primary ones.
std::size_t metrics_beside_primary(const std::map<std::string_view, const record::Case*>& cases,
                                   policy::CasePolicies& policies);

/// What a finding does, where its policy names the metric: never more than that.
reports::GateEffect limited_by_metric(const reports::Finding& finding, reports::GateEffect effect,
                                      const policy::Policy& policy_of_case);

/// Says in the findings and claims of cases with settings of their own which ones were in force, and widens the report's
/// equivalence to the widest that an `equivalent` rests on.
void say_own_settings(reports::Report& report, policy::CasePolicies& policies);

}  // namespace torchgate::gate
