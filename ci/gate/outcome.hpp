// SPDX-License-Identifier: Apache-2.0
// From findings to pass or fail: what each verdict does under the policy, and what the report says first.
#pragma once

#include <string>

#include "ci/policy/policy.hpp"
#include "reports/report.hpp"

namespace torchgate::gate {

reports::GateEffect effect_of(policy::Action action);

/// How many times as bad the case became: 1.05 for a time that grew to 1.05 and for a rate that fell to 1/1.05.
double worse_ratio(const reports::Finding& finding);

/// What a changed exact metric of that name does.
reports::GateEffect changed_effect(const std::string& metric, const policy::Policy& policy_of_case);

/// Sets what the verdict does, for verdicts whose effect does not depend on numbers. `policy` is the case's own.
void set_plain_effect(reports::Finding& finding, const policy::Policy& policy);

/// Sets what a confirmed regression or an improvement does: fail from the gate on, warn below.
void set_confirmed_effect(reports::Finding& finding, const policy::Policy& policy);

/// Sorts findings, counts, and fills outcome and headline. `judged_any`: at least one case could be compared.
/// `incomplete`: why a pass cannot be said (incomplete_because()); empty: it can.
void conclude(reports::Report& report, const std::string& incomplete);

}  // namespace torchgate::gate
